package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// request is what someone wants to have deployed. Its text form, which a reviewer reads and may edit, is
//
//	deploy shop 2.4.1 to production
type request struct {
	Service     string `json:"service" jsonschema:"pattern=^[a-z][a-z0-9-]*$,maxLength=40,description=Name of the service"`
	Version     string `json:"version" jsonschema:"pattern=^[0-9]+\\.[0-9]+\\.[0-9]+$,maxLength=40,description=Such as 2.4.1"`
	Environment string `json:"environment" jsonschema:"enum=development,enum=staging,enum=production,description=Where it is to run"`
}

// String returns the text form.
func (r request) String() string {
	return fmt.Sprintf("deploy %s %s to %s", r.Service, r.Version, r.Environment)
}

var sentence = regexp.MustCompile(`^deploy ([a-z][a-z0-9-]{0,39}) ([0-9]+\.[0-9]+\.[0-9]+) to ([a-z]+)$`)

// parseRequest reads the text form. A person may have typed it: it is held to the same rules as a model's arguments.
func parseRequest(text string) (request, error) {
	m := sentence.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil || !slices.Contains(environments(), m[3]) {
		return request{}, fmt.Errorf("%q is not understood: want deploy SERVICE X.Y.Z to ENVIRONMENT, one of %s",
			text, strings.Join(environments(), ", "))
	}
	return request{m[1], m[2], m[3]}, nil
}

func environments() []string { return []string{"development", "staging", "production"} }

// needsApproval reports whether someone has to agree. Development belongs to whoever develops.
func (r request) needsApproval() bool { return r.Environment != "development" }

// steps returns what is done, in order. Production is reached through a tenth of its instances.
func (r request) steps() []string {
	steps := []string{fmt.Sprintf("pull %s:%s", r.Service, r.Version)}
	if r.Environment == "production" {
		steps = append(steps, "switch 10% of the instances", "check the error rate")
	}
	return append(steps, "switch all instances", "check health")
}
