// Command receiver imports package webhook and nothing else of this module but the values that it needs.
package main

import (
	"log"
	"net/http"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/webhook"
	"github.com/commerceplatform/commerce-go/webhook/inboxmem"
)

func main() {
	inbox, err := inboxmem.New(inboxmem.Options{})
	if err != nil {
		log.Fatal(err)
	}
	h := &webhook.Handler{Secrets: []client.Secret{"secret"}, Inbox: inbox}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", h))
}
