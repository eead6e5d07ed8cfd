package contract_test

import (
	"encoding/json"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client/contract"
)

// The time limit of each call is in the document, next to its body and its answers.
func Example() {
	data, err := contract.Files.ReadFile("callbacks.json")
	if err != nil {
		log.Fatal(err)
	}
	var document struct {
		Webhooks map[string]struct {
			Post struct {
				Summary string
				Limit   int `json:"x-time-limit-ms"`
			}
		}
	}
	if err := json.Unmarshal(data, &document); err != nil {
		log.Fatal(err)
	}
	cart := document.Webhooks["cart"].Post
	fmt.Println(cart.Limit, "ms:", cart.Summary)
	// Output:
	// 800 ms: A cart has changed. The app answers with the discounts that it adds or removes.
}
