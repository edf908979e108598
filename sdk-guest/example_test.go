package guest_test

import (
	"fmt"

	guest "github.com/wasmtools/wasmtools/sdk-guest"
	"github.com/wasmtools/wasmtools/sdk-guest/guesttest"
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

func ExampleRegister() {
	res, err := guesttest.Call("forecast", `{"city":"Paris"}`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Text)

	_, err = guesttest.Call("forecast", `{"city":"Paris","days":"two"}`, nil)
	fmt.Println(err)

	// Output:
	// 3 days of rain.
	// call "forecast": arguments: "days": must be of type integer
}

func ExampleError() {
	res, err := guesttest.Call("forecast", `{"city":"Atlantis"}`, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Error.Kind, *res.Error.Code, res.Error.Message)
	// Output:
	// arguments 404 there is no such city
}

func ExampleContext_RequestApproval() {
	remove := func(ctx guest.Context, path string) (string, error) {
		if _, err := ctx.RequestApproval("delete " + path); err != nil {
			return "", err
		}
		return "deleted", nil
	}
	_, err := remove(guest.Context{}, "a.txt") // nobody is there to agree
	fmt.Println(err)
	// Output:
	// Approval denied (no approver is configured, or none may be asked): delete a.txt
}
