package providers

import (
	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/engine"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// EventInfo is the provider's information about an event. All members are optional. The app's own members, such as
// the number of a refund, go into Extra.
type EventInfo struct {
	// Message is for people. That of an event by a Cashier begins with the key of its operation: see EventInput.Of.
	Message string `json:"message,omitzero"`
	// FraudScore is the likelihood of fraud: a decimal from 0 (no fraud) to 1.
	FraudScore client.Measure `json:"fraud_score,omitzero"`
	RiskLevel  RiskLevel      `json:"risk_level,omitzero"` // the level of the likelihood
	// AcceptURL and CancelURL are HTTPS URLs of the app. The platform calls them when the merchant accepts or cancels
	// a payment that needs review, until Event.ExpiresAt. ReviewHandler creates both.
	AcceptURL string       `json:"accept_url,omitzero"`
	CancelURL string       `json:"cancel_url,omitzero"`
	Extra     client.Extra `json:",embed"`
}

// RiskLevel is the level of the likelihood of fraud.
type RiskLevel string

// The values of RiskLevel.
const (
	RiskLevelLow    RiskLevel = "low"    // fraud is unlikely
	RiskLevelMedium RiskLevel = "medium" // manual review is advisable
	RiskLevelHigh   RiskLevel = "high"   // fraud is likely
)

// Known reports whether the contract names the value.
func (l RiskLevel) Known() bool { return wire.Known(l, RiskLevelLow, RiskLevelMedium, RiskLevelHigh) }

func (i EventInfo) check() error {
	switch {
	case i.FraudScore != "" && !isFraction(i.FraudScore):
		return engine.Invalid("info.fraud_score", cut(i.FraudScore), "a decimal from 0 to 1, such as 0.87")
	case i.RiskLevel != "" && !i.RiskLevel.Known():
		return engine.Invalid("info.risk_level", i.RiskLevel, "low, medium or high")
	}
	if err := checkOptionalHTTPS("info.accept_url", i.AcceptURL); err != nil {
		return err
	}
	return checkOptionalHTTPS("info.cancel_url", i.CancelURL)
}

// isFraction reports whether m is a decimal from 0 to 1.
func isFraction(m client.Measure) bool {
	if !isDecimal(m) {
		return false
	}
	d, err := m.Decimal()
	return err == nil && d.IntPart() <= 1 && (d.IntPart() == 0 || d.IsInteger())
}
