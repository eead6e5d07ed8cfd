package shipping

import (
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Offer is the input of DoorRate and PickupRate, which create a Rate from it.
type Offer struct {
	// Code is the exact code of a carrier option. Rates with other codes are not displayed.
	Code string
	// Name is displayed to customers.
	Name string
	// Price is paid by the customer. It must not include the merchant's additional cost.
	Price client.Money
	// Currency is an ISO 4217 code.
	Currency string
	// PriceMerchant is paid by the merchant. The default is Price. It may differ only if items have free shipping. To
	// know that, a function requires Handler.Volatile.
	PriceMerchant client.Opt[client.Money]
	// MinDelivery and MaxDelivery are the delivery dates, zero if unknown. They must not include the merchant's
	// additional days.
	MinDelivery, MaxDelivery time.Time
	// IDRequired means that the customer must provide an identification number.
	IDRequired bool
	// PhoneRequired means that the customer must provide a phone number.
	PhoneRequired bool
	// AcceptsCOD means that cash on delivery is allowed. It is true by default.
	AcceptsCOD client.Opt[bool]
	// Reference is stored with the order, as shipping_option_reference. It is Code by default, because rates without
	// a reference are not displayed.
	Reference string
}

// dates is the platform's format of delivery dates.
const dates = "2006-01-02T15:04:05-0700"

func (o Offer) check() error {
	merchant, _ := o.PriceMerchant.Get()
	switch {
	case !wire.IsLine(o.Code):
		return engine.Invalid("code", o.Code, "the code of a carrier option")
	case !wire.IsLine(o.Name):
		return engine.Invalid("name", o.Name, "a text in one line")
	case !payable(o.Price):
		return engine.Invalid("price", o.Price, amountRule)
	case !isCurrency(o.Currency):
		return engine.Invalid("currency", o.Currency, "an ISO 4217 code")
	case o.PriceMerchant.IsNull() || !payable(merchant):
		return engine.Invalid("price_merchant", merchant, amountRule)
	case !o.MinDelivery.IsZero() && !isDate(o.MinDelivery):
		return engine.Invalid("min_delivery_date", o.MinDelivery, "a date of the years 1970 to 9999, in a zone of whole minutes")
	case !o.MaxDelivery.IsZero() && !isDate(o.MaxDelivery):
		return engine.Invalid("max_delivery_date", o.MaxDelivery, "a date of the years 1970 to 9999, in a zone of whole minutes")
	case !o.MinDelivery.IsZero() && !o.MaxDelivery.IsZero() && o.MaxDelivery.Before(o.MinDelivery):
		return engine.Invalid("max_delivery_date", o.MaxDelivery, "min_delivery_date or later")
	case o.AcceptsCOD.IsNull():
		return engine.Invalid("accepts_cod", nil, "true or false")
	case o.Reference != "" && !wire.IsLine(o.Reference):
		return engine.Invalid("reference", o.Reference, "a text in one line")
	}
	return nil
}

const amountRule = "0 or more, with at most 15 digits before the point"

// payable reports whether the amount is 0 or more and can be read back.
func payable(m client.Money) bool {
	_, err := client.ParseMoney(m.String())
	return err == nil && m.Cmp(client.Cents(0)) >= 0
}

// isDate reports whether the instant can be written in ISO 8601.
func isDate(t time.Time) bool {
	_, offset := t.Zone()
	return t.Year() >= 1970 && t.Year() <= 9999 && offset%60 == 0 && max(offset, -offset) < 24*60*60
}

// currencies are the ISO 4217 codes of currencies in use.
const currencies = "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF " +
	"CLF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS " +
	"INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR " +
	"MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP SLE SOS " +
	"SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UYW UZS VEF VED VES VND VUV WST XAF XCD XCG XOF XPF " +
	"YER ZAR ZMW ZWG"

// isCurrency reports whether s is one of the currencies, in upper case.
func isCurrency(s string) bool {
	return len(s) == 3 && !strings.Contains(s, " ") && strings.Contains(currencies, s)
}
