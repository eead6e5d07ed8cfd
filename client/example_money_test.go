package client_test

import (
	"fmt"
	"log"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client"
)

// An invoice has 3 mugs, a discount of 7.5 percent, and a tax of 21 percent.
func Example_money() {
	const currency = "ARS"
	goods, err := client.MustMoney("19.90").Mul(3)
	if err != nil {
		log.Fatal(err)
	}
	discount, err := goods.Percent(decimal.RequireFromString("7.5"), currency)
	if err != nil {
		log.Fatal(err)
	}
	net, err := goods.Sub(discount)
	if err != nil {
		log.Fatal(err)
	}
	tax, err := net.Percent(decimal.NewFromInt(21), currency)
	if err != nil {
		log.Fatal(err)
	}
	total, err := net.Add(tax)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("goods", goods)
	fmt.Println("discount", discount.Neg())
	fmt.Println("tax", tax)
	fmt.Println("total", total)
	// Output:
	// goods 59.70
	// discount -4.48
	// tax 11.60
	// total 66.82
}

// A half is rounded away from zero, so that a credit note has the same amount as its invoice.
func ExampleMoney_Percent() {
	half := decimal.RequireFromString("2.5")
	for _, price := range []client.Money{client.MustMoney("1.00"), client.MustMoney("-1.00")} {
		part, err := price.Percent(half, "ARS")
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(part)
	}
	// Output:
	// 0.03
	// -0.03
}

// Three monthly payments sum to the price. A currency without cents is divided into whole units.
func ExampleMoney_Split() {
	for _, currency := range []string{"ARS", "CLP"} {
		parts, err := client.MustMoney("100.00").Split(3, currency)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(currency, parts)
	}
	// Output:
	// ARS [33.34 33.33 33.33]
	// CLP [34.00 33.00 33.00]
}

// A discount of 10.00 is divided among the lines of a cart in proportion to their prices.
func ExampleMoney_SplitBy() {
	lines := []client.Money{client.MustMoney("59.70"), client.MustMoney("25.00"), client.MustMoney("0.00")}
	shares, err := client.MustMoney("10.00").SplitBy(lines, "ARS")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(shares)
	// Output: [7.05 2.95 0.00]
}

func ExampleMoney_Round() {
	converted := client.MustMoney("974.5")
	pesos, err := converted.Round("CLP")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(pesos)
	// Output: 975.00
}
