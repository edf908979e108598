package main

import (
	"fmt"

	guest "github.com/wasmtools/wasmtools/sdk-guest"
)

type Args struct {
	City string `json:"city" jsonschema:"description=Name of the city,minLength=1"`
	Days int32  `json:"days" jsonschema:"description=How many days,default=3,minimum=1,maximum=7"`
}

func init() { guest.Register("forecast", "Tells the weather of the coming days.", forecast) }

func forecast(ctx guest.Context, in Args) (string, error) {
	if in.City == "Atlantis" {
		return "", guest.BadArguments("there is no such city").WithCode(404)
	}
	ctx.Log().Info("asked", "city", in.City)
	return fmt.Sprintf("%d days of rain.", in.Days), nil
}

func main() {}
