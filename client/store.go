package client

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/enum"
)

// Store holds the settings of the store that the client acts on. Texts that the
// merchant has not filled in are empty. The platform's five links to social
// networks have no fields; they are in Extra under the networks' own names.
type Store struct {
	ID          ID   `json:"id"`
	Name        Text `json:"name"`        // as customers see it, by language
	Description Text `json:"description"` // in words, by language
	// Type is what the store sells, a category such as "clothing".
	Type  string `json:"type"`
	Email string `json:"email"` // where the merchant is written to
	// Logo is a URL without scheme, starting with //. Nil means the store has no logo.
	Logo                *string `json:"logo"`
	ContactEmail        string  `json:"contact_email"`         // where customers write to
	Blog                string  `json:"blog"`                  // its address
	Address             string  `json:"address"`               // as customers see it
	Phone               string  `json:"phone"`                 // phone number
	WhatsappPhoneNumber string  `json:"whatsapp_phone_number"` // phone number
	// BusinessID is the tax id: CPF or CNPJ in Brazil; DNI, CUIL or CUIT in Argentina.
	BusinessID       string           `json:"business_id"`
	BusinessName     string           `json:"business_name"`     // of the company
	BusinessAddress  string           `json:"business_address"`  // of the company
	CustomerAccounts CustomerAccounts `json:"customer_accounts"` // whether customers may buy as guests
	PlanName         string           `json:"plan_name"`         // what the merchant subscribed to
	// Country is an ISO 3166-1 code.
	Country string `json:"country"`
	// Languages is keyed by language code.
	Languages      map[string]StoreLanguage `json:"languages"`
	Domains        []string                 `json:"domains"`         // all that lead to the storefront
	OriginalDomain string                   `json:"original_domain"` // the one that the platform gave
	CurrentTheme   string                   `json:"current_theme"`   // the look of the storefront
	MainLanguage   string                   `json:"main_language"`   // language code, such as es
	// MainCurrency is an ISO 4217 code.
	MainCurrency  string `json:"main_currency"`
	AdminLanguage string `json:"admin_language"` // language code of the admin panel
	// Features names the API features that are enabled for the store; see HasFeature.
	Features  []string `json:"features"`
	CreatedAt Time     `json:"created_at"`
	// URLWithProtocol is the address of the storefront; nil if it is not told.
	URLWithProtocol *string `json:"url_with_protocol"`
	StoreAccount
	Extra Extra `json:",embed"`
}

// StoreAccount has members of a store that typed clients of the platform name and the contract does not. Each may be
// missing: nil, or the zero Time, means missing or null. The meanings follow from the names; the words of the last five
// texts are not known.
type StoreAccount struct {
	HasStock              *bool   `json:"has_stock,omitzero"`                // whether it has anything to sell
	IsTrial               *bool   `json:"is_trial,omitzero"`                 // whether the merchant has not subscribed yet
	IsLastPaymentRejected *bool   `json:"is_last_payment_rejected,omitzero"` // whether the merchant's last payment failed
	AdminBlocked          *bool   `json:"admin_blocked,omitzero"`            // whether the admin panel is blocked
	AdminDisabled         *bool   `json:"admin_disabled,omitzero"`           // whether the admin panel is disabled
	ProductCount          *Int    `json:"product_count,omitzero"`            // how many products it has
	UpdatedAt             Time    `json:"updated_at"`                        // of the store
	FirstPaymentDate      Time    `json:"first_payment_date"`                // when the merchant paid the platform first
	PaidUntil             Time    `json:"paid_until"`                        // the end of what the merchant has paid for
	BusinessZipcode       *string `json:"business_zipcode"`                  // postal code of the company
	CustomDimension       *string `json:"custom_dimension"`                  // undescribed
	CustomerType          *string `json:"customer_type"`                     // a kind of merchant
	UserType              *string `json:"user_type"`                         // a kind of user
	Source                *string `json:"source"`                            // where the store came from
	Plan                  *Object `json:"plan"`                              // an object or a list; see Store.PlanName
	Tags                  *Object `json:"tags"`                              // an object or a list
}

// HasFeature reports whether the platform has enabled an API feature for the store.
func (s *Store) HasFeature(name string) bool { return slices.Contains(s.Features, name) }

// Features of a store, for Store.HasFeature.
const (
	// FeatureInventoryLevels: variants keep their stock per location.
	FeatureInventoryLevels = "inventory-levels"
	// FeatureFulfillmentOrders: orders are shipped through fulfillment orders.
	FeatureFulfillmentOrders = "fulfillment-orders"
	// FeatureFulfillmentLabels: the app may act on labels of fulfillment orders.
	FeatureFulfillmentLabels = "fulfillment_order_label_api"
)

// CustomerAccounts says whether customers must register before they buy.
type CustomerAccounts string

// The values of CustomerAccounts.
const (
	CustomerAccountsOptional  CustomerAccounts = "optional"  // guest checkout is allowed
	CustomerAccountsMandatory CustomerAccounts = "mandatory" // it is not
)

// Known reports whether the contract names the value.
func (a CustomerAccounts) Known() bool {
	return enum.Known(a, CustomerAccountsOptional, CustomerAccountsMandatory)
}

// StoreLanguage is one language of a store.
type StoreLanguage struct {
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
	Active   bool   `json:"active"` // customers can choose it
	Extra    Extra  `json:",embed"`
}

// StoreService reads the store. The contract names no scope for it. All versions
// have it.
type StoreService engine.Service

// Get returns the store. With fields, only these members are answered.
//
//api:endpoint GET /store
func (s *StoreService) Get(ctx context.Context, fields ...string) (*Store, error) {
	return engine.Get[Store](ctx, s, "/store", only(fields))
}

// only returns the query that asks for some members of a record; none asks for all.
func only(fields []string) url.Values {
	if len(fields) == 0 {
		return nil
	}
	return url.Values{"fields": {strings.Join(fields, ",")}}
}
