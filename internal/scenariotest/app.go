package scenariotest

import (
	"context"
	"crypto/rsa"
	"net"
	"net/http"
	"os"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/payments"
)

// Platform is the knowledge of an app about its platform.
type Platform struct {
	Client         *client.Client // with the token of the demo app
	URL, AuthURL   string
	AppID, StoreID client.ID
	Secret, Token  client.Secret
	PaymentKeys    []*rsa.PublicKey
}

// App registers an app with the platform, unless its installation does, and returns its handler. The context ends
// with the test.
type App func(context.Context, Platform) (http.Handler, error)

// Role is the role of a child that is the app; see proctest.Main.
const Role = "app"

// Program returns the app as a program, with the variables that "refserver test" sets.
func Program(app App) func() error {
	return func() error {
		p := Platform{
			URL: os.Getenv("COMMERCE_BASE_URL"), AuthURL: os.Getenv("COMMERCE_AUTH_URL"),
			Secret: client.Secret(os.Getenv("COMMERCE_APP_SECRET")), Token: client.Secret(os.Getenv("COMMERCE_TOKEN")),
		}
		var err error
		if p.AppID, err = client.ParseID(os.Getenv("COMMERCE_APP_ID")); err != nil {
			return err
		}
		if p.StoreID, err = client.ParseID(os.Getenv("COMMERCE_STORE_ID")); err != nil {
			return err
		}
		if p.PaymentKeys, err = payments.ParseKeys([]byte(os.Getenv("COMMERCE_PAYMENTS_KEY"))); err != nil {
			return err
		}
		p.Client, err = client.New(client.Config{
			BaseURL: p.URL, StoreID: p.StoreID, UserAgent: "Scenarios (dev@app.example)",
			Token: client.StaticToken(p.Token),
		})
		if err != nil {
			return err
		}
		h, err := app(context.Background(), p)
		if err != nil {
			return err
		}
		l, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", os.Getenv("PORT")))
		if err != nil {
			return err
		}
		return http.Serve(l, h)
	}
}
