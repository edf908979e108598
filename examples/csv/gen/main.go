// Gen writes the orders of an imaginary shop as CSV, the same ones every time:
//
//	go run ./examples/csv/gen >examples/csv/orders.csv
package main

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"
)

func main() {
	out := bufio.NewWriter(os.Stdout)
	generate(out)
	if err := out.Flush(); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

const orders = 5000

type product struct {
	category, name string
	cents          int
}

// generate writes the orders. Errors are left to the writer to remember.
func generate(w io.Writer) {
	random := rand.New(rand.NewPCG(2025, 1))
	countries := []string{"Germany", "Germany", "Germany", "France", "France", "Italy", "Spain", "Poland", "Sweden", "Austria"}
	products := []product{
		{"coffee", "espresso beans", 1290}, {"coffee", "filter roast", 1090}, {"coffee", "decaf", 1150},
		{"tea", "darjeeling", 890}, {"tea", "mint", 490},
		{"equipment", "grinder", 12900}, {"equipment", "kettle", 5490}, {"equipment", `cup, "large"`, 1450},
	}
	first := time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

	fmt.Fprintln(w, "order_id,date,customer,country,category,product,quantity,amount,status,rating")
	for id := range orders {
		date := first.AddDate(0, 0, id*365/orders)
		customer := random.IntN(400)
		country := countries[customer%len(countries)] // a customer stays where he is
		p := products[random.IntN(len(products))]
		quantity := 1 + random.IntN(5)
		if p.cents > 5000 {
			quantity = 1
		}
		cents := p.cents * quantity
		fmt.Fprintf(w, "%d,%s,C%03d,%s,%s,%s,%d,%d.%02d,%s,%s\n",
			10001+id, date.Format(time.DateOnly), customer, country, p.category, field(p.name), quantity,
			cents/100, cents%100, status(random), rating(random))
	}
}

func status(random *rand.Rand) string {
	switch n := random.IntN(100); {
	case n < 4:
		return "returned"
	case n < 6:
		return "cancelled"
	}
	return "paid"
}

// rating is empty for most orders: customers seldom say what they think.
func rating(random *rand.Rand) string {
	if n := random.IntN(15); n < 5 {
		return fmt.Sprint(n + 1)
	}
	return ""
}

// field quotes a text as CSV wants it where it has to.
func field(text string) string {
	quoted, special := `"`, false
	for _, r := range text {
		special = special || r == ',' || r == '"'
		if r == '"' {
			quoted += `"`
		}
		quoted += string(r)
	}
	if special {
		return quoted + `"`
	}
	return text
}
