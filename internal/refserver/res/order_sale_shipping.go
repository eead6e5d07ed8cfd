package res

import (
	"encoding/json"

	"github.com/commerceplatform/commerce-go/internal/refserver/api"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// shippingJSON is how a sale is shipped, flat as version v1, drafts and checkouts
// have it.
type shippingJSON struct {
	Shipping                string  `json:"shipping"`
	ShippingOption          *string `json:"shipping_option"`
	ShippingOptionCode      *string `json:"shipping_option_code"`
	ShippingOptionReference *string `json:"shipping_option_reference"`
	ShippingPickupDetails   *string `json:"shipping_pickup_details"`
	ShippingTrackingNumber  *string `json:"shipping_tracking_number"`
	ShippingTrackingURL     *string `json:"shipping_tracking_url"`
	ShippingStoreBranchName *string `json:"shipping_store_branch_name"`
	ShippingPickupType      string  `json:"shipping_pickup_type"`
	ShippingSuboption       any     `json:"shipping_suboption"`
	ShippingMinDays         *int    `json:"shipping_min_days"`
	ShippingMaxDays         *int    `json:"shipping_max_days"`
	ShippingCostOwner       string  `json:"shipping_cost_owner"`
	ShippingCostCustomer    string  `json:"shipping_cost_customer"`
	NextAction              string  `json:"next_action"`
}

// shippingOnWire calls what is not shipped ship: only fulfillment orders have a word for it.
func shippingOnWire(s world.Sale, nextAction string) shippingJSON {
	if s.ShippingPickupType == world.NonShippable {
		s.ShippingPickupType = world.Ship
	}
	return shippingJSON{
		Shipping:                s.Shipping,
		ShippingOption:          api.TextOrNil(s.ShippingOption),
		ShippingOptionCode:      api.TextOrNil(s.ShippingOptionCode),
		ShippingOptionReference: api.TextOrNil(s.ShippingOptionReference),
		ShippingPickupDetails:   api.TextOrNil(s.ShippingPickupDetails),
		ShippingStoreBranchName: api.TextOrNil(s.ShippingStoreBranchName),
		ShippingPickupType:      s.ShippingPickupType,
		ShippingSuboption:       suboptionOnWire(s.ShippingSuboption),
		ShippingMinDays:         s.ShippingMinDays,
		ShippingMaxDays:         s.ShippingMaxDays,
		ShippingCostOwner:       money(s.ShippingCostOwner),
		ShippingCostCustomer:    money(s.ShippingCostCustomer),
		NextAction:              nextAction,
	}
}

// suboptionOnWire is an object for a pickup and an empty array otherwise.
func suboptionOnWire(id string) any {
	if id == "" {
		return []any{}
	}
	return struct {
		ID string `json:"id"`
	}{id}
}

// flatAddressJSON is the shipping address as drafts that were just created and
// checkouts have it.
type flatAddressJSON struct {
	ShippingName     *string `json:"shipping_name"`
	ShippingPhone    *string `json:"shipping_phone"`
	ShippingAddress  *string `json:"shipping_address"`
	ShippingNumber   *string `json:"shipping_number"`
	ShippingFloor    *string `json:"shipping_floor"`
	ShippingLocality *string `json:"shipping_locality"`
	ShippingZipcode  *string `json:"shipping_zipcode"`
	ShippingCity     *string `json:"shipping_city"`
	ShippingProvince *string `json:"shipping_province"`
	ShippingCountry  *string `json:"shipping_country"`
}

func flatAddress(a world.Address) flatAddressJSON {
	return flatAddressJSON{
		ShippingName:     api.TextOrNil(a.Name),
		ShippingPhone:    api.TextOrNil(a.Phone),
		ShippingAddress:  api.TextOrNil(a.Address),
		ShippingNumber:   api.TextOrNil(a.Number),
		ShippingFloor:    api.TextOrNil(a.Floor),
		ShippingLocality: api.TextOrNil(a.Locality),
		ShippingZipcode:  api.TextOrNil(a.Zipcode),
		ShippingCity:     api.TextOrNil(a.City),
		ShippingProvince: api.TextOrNil(a.Province),
		ShippingCountry:  api.TextOrNil(a.Country),
	}
}

// shippingAddressOnWire is the address of an order as an object.
func shippingAddressOnWire(s world.Sale) any {
	out := struct {
		customerAddressJSON
		Customs map[string]json.RawMessage `json:"customs"`
	}{addressOnWire(world.CustomerAddress{Address: s.ShippingAddress, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt}), s.Customs}
	if out.Customs == nil {
		out.Customs = map[string]json.RawMessage{}
	}
	return out
}
