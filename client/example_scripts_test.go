package client_test

import (
	"context"
	"fmt"
	"log"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/client/clienttest"
	"github.com/commerceplatform/commerce-go/client/v202503"
)

func ExampleScriptService() {
	srv, err := clienttest.Start(clienttest.Options{Demo: true})
	if err != nil {
		log.Fatal(err)
	}
	defer srv.Close()
	c := srv.Client()
	ctx := context.Background()

	// The script was created in the partner portal and is not installed automatically.
	script, err := v202503.Scripts(c).Associate(ctx, client.ScriptInput{ScriptID: 3001, QueryParams: map[string]any{"unit": "cm"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(script.Name, script.Location, script.Event, string(script.Params.Members["unit"]))
	// Output:
	// Size guide store onfirstinteraction "cm"
}
