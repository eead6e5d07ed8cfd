package res

import (
	"encoding/json"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/body"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// addressIn is an address in the body of an order. Number, zipcode and phone may be
// written as numbers.
type addressIn struct {
	FirstName body.Opt[string]    `json:"first_name"`
	LastName  body.Opt[string]    `json:"last_name"`
	Name      body.Opt[string]    `json:"name"`
	Address   body.Opt[string]    `json:"address"`
	Number    body.Opt[body.Text] `json:"number"`
	Floor     body.Opt[body.Text] `json:"floor"`
	Locality  body.Opt[string]    `json:"locality"`
	City      body.Opt[string]    `json:"city"`
	Province  body.Opt[string]    `json:"province"`
	Zipcode   body.Opt[body.Text] `json:"zipcode"`
	Country   body.Opt[string]    `json:"country"`
	Phone     body.Opt[body.Text] `json:"phone"`
	Customs   body.Extra          `json:"customs"`
}

// readAddress reads an address and completes it. Missing members that are not optional become "not informed" in the
// language, the zipcode 0000, and the country that of the store.
func readAddress(
	in *api.In, member string, raw body.Nested[addressIn], language string,
) (world.Address, map[string]json.RawMessage, error) {
	b, err := raw.Read(in, member)
	if err != nil {
		return world.Address{}, nil, err
	}
	unknown := notInformed(language)
	a := world.Address{
		Name:     strings.TrimSpace(strings.TrimSpace(b.FirstName.Value) + " " + strings.TrimSpace(b.LastName.Value)),
		Address:  textOr(b.Address, unknown),
		Number:   string(b.Number.Value),
		Floor:    string(b.Floor.Value),
		Locality: b.Locality.Value,
		City:     textOr(b.City, unknown),
		Province: textOr(b.Province, unknown),
		Country:  textOr(b.Country, in.Store.Country),
		Zipcode:  string(b.Zipcode.Value),
		Phone:    string(b.Phone.Value),
	}
	if a.Name == "" {
		a.Name = textOr(b.Name, unknown)
	}
	if a.Number == "" {
		a.Number = unknown
	}
	if a.Zipcode == "" {
		a.Zipcode = "0000"
	}
	return a, b.Customs.Members, nil
}

// notInformed is the text of the platform for what nobody said. Its words in
// English are assumed.
func notInformed(language string) string {
	switch language, _, _ := strings.Cut(language, "_"); language {
	case "es":
		return "No informado"
	case "pt":
		return "Não informado"
	}
	return "Not informed"
}
