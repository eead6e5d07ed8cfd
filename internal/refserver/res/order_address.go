package res

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// addressIn is an address in the body of an order. Number, zipcode and phone may be
// written as numbers.
type addressIn struct {
	FirstName api.Opt[string] `json:"first_name"`
	LastName  api.Opt[string] `json:"last_name"`
	Name      api.Opt[string] `json:"name"`
	Address   api.Opt[string] `json:"address"`
	Number    api.Opt[loose]  `json:"number"`
	Floor     api.Opt[loose]  `json:"floor"`
	Locality  api.Opt[string] `json:"locality"`
	City      api.Opt[string] `json:"city"`
	Province  api.Opt[string] `json:"province"`
	Zipcode   api.Opt[loose]  `json:"zipcode"`
	Country   api.Opt[string] `json:"country"`
	Phone     api.Opt[loose]  `json:"phone"`
	Customs   extraIn         `json:"customs"`
}

// readAddress reads an address and completes it: what is missing and not optional
// reads as not informed in the language, the zipcode is 0000 and the country that
// of the store.
func readAddress(in *api.In, member string, raw json.RawMessage, language string) (world.Address, map[string]json.RawMessage, error) {
	var b addressIn
	if err := nested(in, member, raw, &b); err != nil {
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
	return a, b.Customs.members, nil
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

// nested reads a member that is an object; absent and null leave everything empty.
func nested(in *api.In, member string, raw json.RawMessage, to any) error {
	if len(raw) == 0 || isNull(raw) {
		return nil
	}
	unread, err := api.Decode(raw, to)
	if e, ok := errors.AsType[*api.Error](err); ok && e.Status == 400 {
		return api.Invalid(member, "is invalid")
	}
	markWithin(in, member, unread)
	return err
}
