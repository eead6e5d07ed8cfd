package world

import (
	"strconv"
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/internal/refserver/table"
)

// Carrier is a shipping carrier that an app has added to the store.
type Carrier struct {
	ID    int64
	AppID int64
	// Name is shown to merchants and buyers.
	Name string
	// RatesURL is asked for rates, LabelsURL for labels; the latter may be empty.
	RatesURL  string
	LabelsURL string
	// Types has Ship, Pickup or both.
	Types     []string
	Active    bool
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Indexes find the carriers of an app.
func (c Carrier) Indexes() []table.Entry {
	return []table.Entry{table.Multi("app", strconv.FormatInt(c.AppID, 10))}
}

// CarrierOption is a service of a carrier, which the rates with its code belong to.
type CarrierOption struct {
	ID        int64
	CarrierID int64
	// Code is unique in the carrier, to the letter.
	Code string
	Name string
	// AdditionalDays are added by the merchant to the delivery dates, AdditionalCost
	// to what the buyer pays.
	AdditionalDays    int
	AdditionalCost    decimal.Decimal
	AllowFreeShipping bool
	Active            bool
	CreatedAt         time.Time
	UpdatedAt         time.Time
}

// Indexes find the options of a carrier, and the one with a code.
func (o CarrierOption) Indexes() []table.Entry {
	carrier := strconv.FormatInt(o.CarrierID, 10)
	return []table.Entry{table.Multi("carrier", carrier), table.Unique("code", carrier+"/"+o.Code)}
}

// OptionsOf are the options of a carrier, the oldest first.
func (tx *Tx) OptionsOf(carrier int64) []CarrierOption {
	var out []CarrierOption
	for _, o := range tx.CarrierOptions.Where("carrier", strconv.FormatInt(carrier, 10)) {
		out = append(out, o)
	}
	return out
}

// Contingency is a shipping option that the merchant has set up for the time in which
// a carrier does not answer.
type Contingency struct {
	Name string
	// Price is in the currency of the store.
	Price decimal.Decimal
	// MinDays and MaxDays are how long the delivery takes; both 0 is unknown.
	MinDays, MaxDays int
}
