package discounts

import (
	"bytes"
	"encoding/json"
	"errors"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Lines are nearly all of a cart, so they are read by hand: it takes a third of the time that the
// decoder takes, which finds each field by reflection and each number twice. The decoder has
// checked their JSON before.

// lineReader has the decoder leave lines to readLine. It does not change.
var lineReader = wire.ReadBy(func(raw []byte, all *[]LineItem) error {
	const short = 256 // bytes of a line
	return elements(raw, all, len(raw)/short, readLine)
})

var errForm = errors.New("a value of another form")

// readLine reads the line that begins at a place, as wire.Unmarshal does, and returns its end.
func readLine(data []byte, at int, l *LineItem) (int, error) {
	return eachMember(data, at, func(name, value []byte) error {
		switch string(name) {
		case "id":
			return readID(value, &l.ID)
		case "price":
			return readMoney(value, &l.Price)
		case "compare_at_price":
			return readMoney(value, &l.CompareAtPrice)
		case "product_id":
			return readID(value, &l.ProductID)
		case "quantity":
			return readID(value, (*client.ID)(&l.Quantity))
		case "free_shipping":
			return readBool(value, &l.FreeShipping)
		case "variant_id":
			return readID(value, &l.VariantID)
		case "variant_values":
			return elements(value, &l.VariantValues, 2, scalar(readString))
		case "categories":
			return elements(value, &l.Categories, 1, readCategory)
		case "properties":
			if string(value) == "{}" {
				l.Properties = client.Object{Members: client.Extra{}}
				return nil
			}
			return l.Properties.UnmarshalJSON(value)
		case "catalog_kit_id":
			return l.CatalogKitID.UnmarshalJSON(value)
		case "order_kit_id":
			return l.OrderKitID.UnmarshalJSON(value)
		case "kit_quantity":
			return readID(value, (*client.ID)(&l.KitQuantity))
		case "quantity_per_kit":
			return readID(value, (*client.ID)(&l.QuantityPerKit))
		}
		keep(&l.Extra, name, value)
		return nil
	})
}

func readCategory(data []byte, at int, c *CategoryRef) (int, error) {
	return eachMember(data, at, func(name, value []byte) error {
		switch string(name) {
		case "id":
			return readID(value, &c.ID)
		case "parent":
			return readID(value, &c.Parent)
		case "subcategories":
			err := elements(value, &c.Subcategories, 1, scalar(readSubcategory))
			if len(c.Subcategories) == 0 {
				c.Subcategories = nil
			}
			return err
		}
		keep(&c.Extra, name, value)
		return nil
	})
}

func readSubcategory(raw []byte, id *client.ID) error {
	if raw[0] == '{' {
		return (*ref)(id).UnmarshalJSON(raw)
	}
	return readID(raw, id)
}

// readID reads an integer without a copy of its digits if it is written as most are.
func readID(raw []byte, v *client.ID) error {
	n, ok := digits(raw)
	if !ok {
		return v.UnmarshalJSON(raw)
	}
	*v = client.ID(n)
	return nil
}

// readMoney reads an amount without a copy of its digits if it is written as most are, as "12.50".
func readMoney(raw []byte, v *client.Money) error {
	point := len(raw) - len(`.50"`)
	if point < 2 || raw[0] != '"' || raw[point] != '.' {
		return v.UnmarshalJSON(raw)
	}
	whole, ok := digits(raw[1:point])
	hundredths, right := digits(raw[point+1 : point+3])
	if !ok || !right || whole > mostWhole {
		return v.UnmarshalJSON(raw)
	}
	*v = client.Cents(whole*100 + hundredths)
	return nil
}

// mostWhole is far below what Money holds.
const mostWhole = 1_000_000_000_000

// digits returns the number that up to 18 digits are.
func digits(raw []byte) (n int64, ok bool) {
	if len(raw) == 0 || len(raw) > 18 {
		return 0, false
	}
	for _, b := range raw {
		if b < '0' || b > '9' {
			return 0, false
		}
		n = n*10 + int64(b-'0')
	}
	return n, true
}

func readBool(raw []byte, v *bool) error {
	switch string(raw) {
	case "true", "false", "null":
		*v = raw[0] == 't'
		return nil
	}
	return errForm
}

func readString(raw []byte, v *string) error {
	if string(raw) == "null" {
		return nil
	}
	text, ok := textOf(raw)
	if !ok {
		return errForm
	}
	*v = string(text)
	return nil
}

// keep adds a member that has no field.
func keep(extra *client.Extra, name, value []byte) {
	if *extra == nil {
		*extra = client.Extra{}
	}
	(*extra)[string(name)] = json.RawMessage(bytes.Clone(value))
}

// eachMember calls f for the members of the valid JSON object that begins at a place, and not at all
// for null, and returns its end.
func eachMember(data []byte, at int, f func(name, value []byte) error) (int, error) {
	if data[at] == 'n' {
		return skip(data, at), nil
	}
	if data[at] != '{' {
		return at, errForm
	}
	for at = gap(data, at+1); data[at] != '}'; {
		end := skip(data, at)
		name, _ := textOf(data[at:end])
		at = gap(data, gap(data, end)+len(":"))
		end = skip(data, at)
		if err := f(name, data[at:end]); err != nil {
			return at, err
		}
		at = next(data, end)
	}
	return at + 1, nil
}

// elements reads a valid JSON list, with room for as many elements as are likely; null is none. Read gets the
// place where an element begins, and returns its end.
func elements[T any](raw []byte, all *[]T, likely int, read func(data []byte, at int, v *T) (int, error)) error {
	*all = nil
	if raw[0] == 'n' {
		return nil
	}
	if raw[0] != '[' {
		return errForm
	}
	*all = make([]T, 0, likely)
	for at := gap(raw, 1); raw[at] != ']'; {
		var none T
		*all = append(*all, none)
		end, err := read(raw, at, &(*all)[len(*all)-1])
		if err != nil {
			return err
		}
		at = next(raw, end)
	}
	return nil
}

// scalar makes a reader of elements of one of values.
func scalar[T any](read func(raw []byte, v *T) error) func(data []byte, at int, v *T) (int, error) {
	return func(data []byte, at int, v *T) (int, error) {
		end := skip(data, at)
		return end, read(data[at:end], v)
	}
}

// next returns where the next part of an object or list begins, or its end is, behind a part.
func next(data []byte, end int) int {
	at := gap(data, end)
	if data[at] == ',' {
		at = gap(data, at+1)
	}
	return at
}
