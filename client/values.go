package client

import (
	"time"

	"github.com/shopspring/decimal"

	"github.com/commerceplatform/commerce-go/client/value"
)

// The values are those of package value, which describes their methods. A program that makes no calls, such as one that
// only receives webhooks, imports package value in place of this package, and then compiles and links no client.
type (
	// ID is the number of a record; see [value.ID].
	ID = value.ID
	// Int is an integer that the platform sends as a number or a string; see [value.Int].
	Int = value.Int
	// Code is a text that the platform sends as a string or a number; see [value.Code].
	Code = value.Code
	// Money is an exact amount; see [value.Money].
	Money = value.Money
	// Decimal is a number of any precision; see [value.Decimal].
	Decimal = value.Decimal
	// Measure is a weight or a length; see [value.Measure].
	Measure = value.Measure
	// Text is a text in several languages; see [value.Text].
	Text = value.Text
	// Time is a point in time; see [value.Time].
	Time = value.Time
	// Date is a day without a time zone; see [value.Date].
	Date = value.Date
	// CompletedAt is the time at which a sale was completed; see [value.CompletedAt].
	CompletedAt = value.CompletedAt
	// Extra holds the JSON members that have no field; see [value.Extra].
	Extra = value.Extra
	// Secret is a token or key that is never printed; see [value.Secret].
	Secret = value.Secret
	// SecretSet is a set of secrets that can be rotated; see [value.SecretSet].
	SecretSet = value.SecretSet
	// Opt is a member of an input that can be absent, null or set; see [value.Opt].
	Opt[T any] = value.Opt[T]
	// Visited is the result of the visits of a store; see [value.Visited].
	Visited = value.Visited
	// CopyStep is one change of a Mirror; see [value.CopyStep].
	CopyStep[T any] = value.CopyStep[T]
	// WebhookEvent is the name of an event; see [value.WebhookEvent].
	WebhookEvent = value.WebhookEvent
)

// ParseID is [value.ParseID].
func ParseID(s string) (ID, error) { return value.ParseID(s) }

// ParseMoney is [value.ParseMoney].
func ParseMoney(s string) (Money, error) { return value.ParseMoney(s) }

// MustMoney is [value.MustMoney].
func MustMoney(s string) Money { return value.MustMoney(s) }

// Cents is [value.Cents].
func Cents(n int64) Money { return value.Cents(n) }

// MoneyFrom is [value.MoneyFrom].
func MoneyFrom(d decimal.Decimal) (Money, error) { return value.MoneyFrom(d) }

// CurrencyDecimals is [value.CurrencyDecimals].
func CurrencyDecimals(currency string) (int, error) { return value.CurrencyDecimals(currency) }

// Plain is [value.Plain].
func Plain(s string) Text { return value.Plain(s) }

// At is [value.At].
func At(t time.Time) Time { return value.At(t) }

// ParseTime is [value.ParseTime].
func ParseTime(s string) (Time, error) { return value.ParseTime(s) }

// DateOf is [value.DateOf].
func DateOf(t time.Time) Date { return value.DateOf(t) }

// ParseDate is [value.ParseDate].
func ParseDate(s string) (Date, error) { return value.ParseDate(s) }

// Set returns an Opt that sends v; see [value.Set].
func Set[T any](v T) Opt[T] { return value.Set(v) }

// Null returns an Opt that sends null; see [value.Null].
func Null[T any]() Opt[T] { return value.Null[T]() }

// FromPtr returns an Opt that sends *p, or is absent if p is nil; see [value.FromPtr].
func FromPtr[T any](p *T) Opt[T] { return value.FromPtr(p) }

// NullIfNil returns an Opt that sends *p, or null if p is nil; see [value.NullIfNil].
func NullIfNil[T any](p *T) Opt[T] { return value.NullIfNil(p) }
