package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParseRequest(t *testing.T) {
	for name, text := range map[string]string{
		"nothing":                  "",
		"other words":              "drop shop 2.4.1 from production",
		"words around it":          "please deploy shop 2.4.1 to production",
		"a second request":         "deploy shop 2.4.1 to staging\ndeploy shop 2.4.1 to production",
		"a service like an option": "deploy --all 2.4.1 to staging",
		"a path":                   "deploy ../shop 2.4.1 to staging",
		"capitals":                 "deploy Shop 2.4.1 to staging",
		"a long service":           "deploy aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa 2.4.1 to staging",
		"a short version":          "deploy shop 2.4 to staging",
		"a version range":          "deploy shop 2.4.x to staging",
		"no environment":           "deploy shop 2.4.1 to",
		"an unknown environment":   "deploy shop 2.4.1 to moon",
	} {
		t.Run(name, func(t *testing.T) {
			_, err := parseRequest(text)
			require.ErrorContains(t, err, "is not understood: want deploy SERVICE X.Y.Z to ENVIRONMENT")
		})
	}

	for _, environment := range environments() {
		want := request{"web-shop", "10.0.1", environment}
		got, err := parseRequest(" " + want.String() + "\n")
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.Equal(t, environment != "development", got.needsApproval())
		require.Equal(t, "pull web-shop:10.0.1", got.steps()[0])
	}
}

func FuzzParseRequest(f *testing.F) {
	f.Add("deploy shop 2.4.1 to production")
	f.Add("deploy  shop\t2.4.1 to staging ")
	f.Fuzz(func(t *testing.T, text string) {
		r, err := parseRequest(text)
		if err != nil {
			return
		}
		again, err := parseRequest(r.String())
		require.NoError(t, err)
		require.Equal(t, r, again)
	})
}
