package body

import "fmt"

// The words about members of bodies that are read one by one. The first two are the
// platform's; the others are assumed, in its way of putting things.
const (
	NotEmpty      = "should not be empty"
	BeString      = "must be a string"
	BeNumber      = "must be a number"
	BeBool        = "must be a boolean value"
	BeObject      = "must be an object"
	BeArray       = "must be an array"
	BeStrings     = "must be an array of strings"
	BeTime        = "must be a valid ISO 8601 date string"
	BeUUID        = "must be a UUID"
	BeHTTPS       = "must be an HTTPS URL"
	BePublic      = "must be an HTTPS URL of a public host"
	BeRate        = "must be a decimal number, 0 or more"
	BePositive    = "must be a decimal number greater than 0"
	BeCents       = "must be an amount with two decimals, 0 or more"
	BeISOCurrency = "must be an ISO 4217 code"
)

// The words about bodies as a whole and about fields that are refused alone. The last
// one is assumed, for whatever has to be unique.
const (
	validationError = "Validation error"
	InvalidFormat   = "Invalid input format"
	CannotBeBlank   = "can't be blank"
	IsInvalid       = "is invalid"
	AlreadyTaken    = "has already been taken"
)

// atMost is about an array with too many elements.
func atMost(most int) string { return fmt.Sprintf("must contain no more than %d elements", most) }

// Required is the text for a field that must be there. Field names are in words, such as
// "owner id".
func Required(field string) string { return "The " + field + " field is required." }

// NotSelectable is the text for a value that is not among those there are.
func NotSelectable(field string) string { return "The selected " + field + " is invalid." }

// WrongFormat is the text for a text in another form.
func WrongFormat(field string) string { return "The " + field + " format is invalid." }

// NotNumber is the text for a value that is not a number.
func NotNumber(field string) string { return "The " + field + " must be a number." }

// NotInteger is the text for a value that is no integer.
func NotInteger(field string) string { return "The " + field + " must be an integer." }

// NotAmount is the text for a value that is not a number or a negative one.
func NotAmount(field string) string { return "The " + field + " must be a number that is at least 0." }

// TooSmall is the text for a number below the least.
func TooSmall(field string, least int) string {
	return fmt.Sprintf("The %s must be at least %d.", field, least)
}

// NotWithin is the text for a value that is no integer from the least to the most.
func NotWithin(field string, least, most int) string {
	return fmt.Sprintf("The %s must be an integer from %d to %d.", field, least, most)
}

// TooLong is the text for a text with more characters than the most.
func TooLong(field string, most int) string {
	return fmt.Sprintf("The %s may not be greater than %d characters.", field, most)
}

// NotPercent is the text for a value that is no percentage with two decimals at most.
func NotPercent(field string) string {
	return "The " + field + " must be a number from 0 to 100 with at most two decimals."
}

// NotCents is the text for a value that is no amount, a negative one or one with parts of a cent.
func NotCents(field string) string {
	return "The " + field + " must be a number that is at least 0 with at most two decimals."
}
