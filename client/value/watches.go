package value

import (
	"strconv"

	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Watches returns the forms in which the contract shows the values, so that others can be reported. It is for the
// packages of this module.
func Watches() []wire.Watch {
	return []wire.Watch{
		wire.Watched[Money]("a decimal string", isAmount),
		wire.Watched[ID]("an integer", isInteger),
		wire.Watched[Int]("an integer", isInteger),
		wire.Watched[Measure]("a decimal string", isQuoted),
		wire.Watched[Decimal]("a number", isUnquoted),
		wire.Watched[Text]("an object keyed by language", isKeyedText),
		wire.Watched[Time]("ISO 8601", isPrintedTime),
		wire.Watched[CompletedAt]("a time zone that is known here", inKnownZone),
	}
}

// The following functions report whether a value has the form in which the contract shows its type. Null always has.

func isAmount(raw []byte) bool {
	_, ok := parseMoney(wire.Unquoted(raw))
	return wire.Kind(raw) == 'n' || wire.Kind(raw) == '"' && ok
}

func isQuoted(raw []byte) bool { return wire.Kind(raw) == '"' || wire.Kind(raw) == 'n' }

func isUnquoted(raw []byte) bool { return wire.Kind(raw) != '"' }

func isInteger(raw []byte) bool {
	_, err := strconv.ParseInt(string(raw), 10, 64)
	return wire.Kind(raw) == 'n' || err == nil
}

func isKeyedText(raw []byte) bool {
	return wire.Kind(raw) == 'n' || wire.Kind(raw) == '{' && wire.UnmarshalExact(raw, &map[string]*string{}) == nil
}

func isPrintedTime(raw []byte) bool {
	return wire.Kind(raw) == 'n' || wire.Kind(raw) == '"' && isPrinted(wire.Unquoted(raw))
}
