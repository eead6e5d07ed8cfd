package res

import (
	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

func storeOps() []api.Op {
	return []api.Op{
		{ID: "store.get", Method: "GET", Path: "/store", ScopeNote: "none documented", Handler: getStore},
	}
}

// storeJSON is a store on the wire. The five members named after social networks
// are left out, as the contract leaves out their names.
type storeJSON struct {
	ID                  int64                   `json:"id"`
	Name                map[string]string       `json:"name"`
	Description         map[string]string       `json:"description"`
	Type                *string                 `json:"type"`
	Email               *string                 `json:"email"`
	Logo                *string                 `json:"logo"`
	ContactEmail        *string                 `json:"contact_email"`
	Blog                *string                 `json:"blog"`
	Address             *string                 `json:"address"`
	Phone               *string                 `json:"phone"`
	WhatsappPhoneNumber *string                 `json:"whatsapp_phone_number"`
	BusinessID          *string                 `json:"business_id"`
	BusinessName        *string                 `json:"business_name"`
	BusinessAddress     *string                 `json:"business_address"`
	CustomerAccounts    string                  `json:"customer_accounts"`
	PlanName            *string                 `json:"plan_name"`
	Country             string                  `json:"country"`
	Languages           map[string]languageJSON `json:"languages"`
	Domains             []string                `json:"domains"`
	OriginalDomain      string                  `json:"original_domain"`
	CurrentTheme        *string                 `json:"current_theme"`
	MainLanguage        string                  `json:"main_language"`
	MainCurrency        string                  `json:"main_currency"`
	AdminLanguage       string                  `json:"admin_language"`
	Features            []string                `json:"features"`
	URLWithProtocol     string                  `json:"url_with_protocol"`
	CreatedAt           string                  `json:"created_at"`
}

type languageJSON struct {
	Currency string `json:"currency"`
	Active   bool   `json:"active"`
}

func getStore(tx *world.Tx, _ *api.In) (any, error) {
	s := tx.Store()
	languages := make(map[string]languageJSON, len(s.Languages))
	for _, l := range s.Languages {
		languages[l.Code] = languageJSON{Currency: l.Currency, Active: l.Active}
	}
	return storeJSON{
		ID:                  s.ID,
		Name:                s.Name,
		Description:         s.Description,
		Type:                api.TextOrNil(s.Type),
		Email:               api.TextOrNil(s.Email),
		Logo:                api.TextOrNil(s.Logo),
		ContactEmail:        api.TextOrNil(s.ContactEmail),
		Blog:                api.TextOrNil(s.Blog),
		Address:             api.TextOrNil(s.Address),
		Phone:               api.TextOrNil(s.Phone),
		WhatsappPhoneNumber: api.TextOrNil(s.WhatsappPhoneNumber),
		BusinessID:          api.TextOrNil(s.BusinessID),
		BusinessName:        api.TextOrNil(s.BusinessName),
		BusinessAddress:     api.TextOrNil(s.BusinessAddress),
		CustomerAccounts:    s.CustomerAccounts,
		PlanName:            api.TextOrNil(s.PlanName),
		Country:             s.Country,
		Languages:           languages,
		Domains:             s.Domains,
		OriginalDomain:      s.OriginalDomain,
		CurrentTheme:        api.TextOrNil(s.CurrentTheme),
		MainLanguage:        s.MainLanguage,
		MainCurrency:        s.MainCurrency,
		AdminLanguage:       s.AdminLanguage,
		Features:            append([]string{}, s.Features...),
		URLWithProtocol:     storefront(tx),
		CreatedAt:           api.Stamp(s.CreatedAt),
	}, nil
}

// storefront is the address of the store's pages for customers.
func storefront(tx *world.Tx) string { return "https://" + tx.Store().OriginalDomain }
