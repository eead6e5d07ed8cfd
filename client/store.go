package client

import (
	"context"
	"net/url"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Store holds the settings of the store that the client acts on. Texts that the merchant has not set are empty. The
// platform's five links to social networks have no fields; they are in Extra under the networks' own names.
type Store struct {
	ID          ID   `json:"id"`
	Name        Text `json:"name"`        // shown to customers, by language
	Description Text `json:"description"` // by language
	// Type is the category of the products that the store sells, such as "clothing".
	Type  string `json:"type"`
	Email string `json:"email"` // email address of the merchant
	// Logo is a URL without scheme, starting with //. Nil means the store has no logo.
	Logo                *string `json:"logo"`
	ContactEmail        string  `json:"contact_email"`         // email address for customers
	Blog                string  `json:"blog"`                  // URL of the blog
	Address             string  `json:"address"`               // shown to customers
	Phone               string  `json:"phone"`                 // phone number
	WhatsappPhoneNumber string  `json:"whatsapp_phone_number"` // phone number
	// BusinessID is the tax id: CPF or CNPJ in Brazil; DNI, CUIL or CUIT in Argentina.
	BusinessID       string           `json:"business_id"`
	BusinessName     string           `json:"business_name"`     // of the company
	BusinessAddress  string           `json:"business_address"`  // of the company
	CustomerAccounts CustomerAccounts `json:"customer_accounts"` // whether customers must register
	PlanName         string           `json:"plan_name"`         // the merchant's plan
	// Country is an ISO 3166-1 code.
	Country string `json:"country"`
	// Languages is keyed by language code.
	Languages      map[string]StoreLanguage `json:"languages"`
	Domains        []string                 `json:"domains"`         // all domains of the storefront
	OriginalDomain string                   `json:"original_domain"` // the domain assigned by the platform
	CurrentTheme   string                   `json:"current_theme"`   // theme of the storefront
	MainLanguage   string                   `json:"main_language"`   // language code, such as es
	// MainCurrency is an ISO 4217 code.
	MainCurrency  string `json:"main_currency"`
	AdminLanguage string `json:"admin_language"` // language code of the admin panel
	// Features names the API features that are enabled for the store; see HasFeature.
	Features  []string `json:"features"`
	CreatedAt Time     `json:"created_at"`
	// URLWithProtocol is the URL of the storefront, nil if absent.
	URLWithProtocol *string `json:"url_with_protocol"`
	StoreAccount
	Extra Extra `json:",embed"`
}

// StoreAccount has members of a store that are in typed clients of the platform but not in the contract. Each is nil,
// or the zero Time, if it is absent or null. Their meanings are inferred from their names. The values of the last five
// texts are not known.
type StoreAccount struct {
	HasStock              *bool   `json:"has_stock,omitzero"`                // whether it has products in stock
	IsTrial               *bool   `json:"is_trial,omitzero"`                 // whether the merchant has not subscribed yet
	IsLastPaymentRejected *bool   `json:"is_last_payment_rejected,omitzero"` // whether the merchant's last payment failed
	AdminBlocked          *bool   `json:"admin_blocked,omitzero"`            // whether the admin panel is blocked
	AdminDisabled         *bool   `json:"admin_disabled,omitzero"`           // whether the admin panel is disabled
	ProductCount          *Int    `json:"product_count,omitzero"`            // number of products
	UpdatedAt             Time    `json:"updated_at"`                        // when the store was last changed
	FirstPaymentDate      Time    `json:"first_payment_date"`                // when the merchant first paid the platform
	PaidUntil             Time    `json:"paid_until"`                        // end of the paid period
	BusinessZipcode       *string `json:"business_zipcode"`                  // postal code of the company
	CustomDimension       *string `json:"custom_dimension"`                  // not documented
	CustomerType          *string `json:"customer_type"`                     // a kind of merchant
	UserType              *string `json:"user_type"`                         // a kind of user
	Source                *string `json:"source"`                            // origin of the store
	Plan                  *Object `json:"plan"`                              // an object or a list; see Store.PlanName
	Tags                  *Object `json:"tags"`                              // an object or a list
}

// HasFeature reports whether the platform has enabled an API feature for the store.
func (s *Store) HasFeature(name string) bool { return slices.Contains(s.Features, name) }

// Features of a store, for Store.HasFeature.
const (
	// FeatureInventoryLevels means that variants have stock for each location.
	FeatureInventoryLevels = "inventory-levels"
	// FeatureFulfillmentOrders means that orders are shipped through fulfillment orders.
	FeatureFulfillmentOrders = "fulfillment-orders"
	// FeatureFulfillmentLabels means that the app may act on labels of fulfillment orders.
	FeatureFulfillmentLabels = "fulfillment_order_label_api"
)

// CustomerAccounts determines whether customers must register before they buy.
type CustomerAccounts string

// The values of CustomerAccounts.
const (
	CustomerAccountsOptional  CustomerAccounts = "optional"  // guest checkout is allowed
	CustomerAccountsMandatory CustomerAccounts = "mandatory" // customers must register
)

// Known reports whether the contract names the value.
func (a CustomerAccounts) Known() bool {
	return wire.Known(a, CustomerAccountsOptional, CustomerAccountsMandatory)
}

// StoreLanguage is one language of a store.
type StoreLanguage struct {
	// Currency is an ISO 4217 code.
	Currency string `json:"currency"`
	Active   bool   `json:"active"` // customers can choose it
	Extra    Extra  `json:",embed"`
}

// StoreService reads the store. The contract names no scope for it. It is in all versions.
type StoreService engine.Service

// Get returns the store. If fields are given, only these members are returned.
//
//api:endpoint GET /store
func (s *StoreService) Get(ctx context.Context, fields ...string) (*Store, error) {
	return engine.Get[Store](ctx, s, "/store", only(fields))
}

// only returns the query that selects members of a record, or all members if there are no fields.
func only(fields []string) url.Values {
	if len(fields) == 0 {
		return nil
	}
	return url.Values{"fields": {strings.Join(fields, ",")}}
}
