package client_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
)

// A price from a database is exact, whatever the type of its column. NULL is not 0.00.
func ExampleMoney_Scan() {
	var price client.Money
	for _, column := range []any{"19.90", []byte("19.900"), 19.9, int64(20), 0.30000000000000004, nil} {
		if err := price.Scan(column); err != nil {
			fmt.Println("error:", err)
			continue
		}
		fmt.Println(price)
	}
	// Output:
	// 19.90
	// 19.900
	// 19.90
	// 20.00
	// error: amount: floating-point number 0.30000000000000004: must have at most 15 digits, because more are not exact: store text or an exact type
	// error: amount: must not be NULL: scan into a sql.Null[client.Money] or a **client.Money
}

// encoding/json preserves JSON members without a struct field.
func ExampleExtra() {
	var level client.InventoryLevel
	if err := json.Unmarshal([]byte(`{"id":1,"variant_id":2,"location_id":"01FHZXHK8PTP9FVK99Z66GXASV","stock":5,"reserved":2}`), &level); err != nil {
		log.Fatal(err)
	}
	var reserved int
	ok, err := level.Extra.Decode("reserved", &reserved)
	fmt.Println(reserved, ok, err)
	stored, err := json.Marshal(level)
	fmt.Println(string(stored), err)
	// Output:
	// 2 true <nil>
	// {"id":1,"variant_id":2,"location_id":"01FHZXHK8PTP9FVK99Z66GXASV","stock":5,"created_at":null,"updated_at":null,"reserved":2} <nil>
}
