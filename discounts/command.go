package discounts

import (
	"slices"

	"github.com/google/uuid"

	"github.com/commerceplatform/commerce-go/client"
	"github.com/commerceplatform/commerce-go/internal/wire"
)

// Commands are the body of an answer. Plans create them automatically. Create them directly only for a case that a
// plan cannot express. A Handler never sends commands that Validate rejects. The platform does not guarantee the
// order of their execution. The zero Commands are empty.
type Commands struct{ list []command }

type command struct {
	Command string `json:"command"`
	Specs   any    `json:"specs"`
}

// The commands and scopes of the contract.
const (
	createOrUpdate = "create_or_update_discount"
	remove         = "remove_discount"
	scopeCart      = "cart"
	scopeLines     = "line_item"
)

// The wire forms of specs. All ids are strings there, although the lines of a cart have numeric ids.
type (
	discountSpecs struct {
		Type   string `json:"type"`
		Amount string `json:"amount"`
	}
	lineSpecs struct {
		LineItem string        `json:"line_item"`
		Discount discountSpecs `json:"discount_specs"`
	}
	createLines struct {
		PromotionID string            `json:"promotion_id"`
		Currency    string            `json:"currency"`
		DisplayText map[string]string `json:"display_text,omitzero"`
		LineItems   []lineSpecs       `json:"line_items"`
	}
	createCross struct {
		PromotionID string            `json:"promotion_id"`
		Currency    string            `json:"currency"`
		DisplayText map[string]string `json:"display_text,omitzero"`
		Discount    discountSpecs     `json:"discount_specs"`
	}
	removeCart struct {
		Scope        string   `json:"scope"`
		PromotionIDs []string `json:"promotion_ids"`
	}
	removeLines struct {
		Scope       string   `json:"scope"`
		PromotionID string   `json:"promotion_id"`
		LineItems   []string `json:"line_items"`
	}
)

// LineDiscount is a promotion's discount on one line.
type LineDiscount struct {
	Line   client.ID // the line's id
	Amount Amount    // the discount on the line
}

// DiscountLines adds a command that creates or updates the discount of a promotion of the tier TierLineItems on some
// lines. Text is displayed to the customer. Its keys are language ids such as es-ar. It may be nil.
func (c *Commands) DiscountLines(promotion uuid.UUID, currency string, text map[string]string, lines ...LineDiscount) {
	specs := createLines{PromotionID: promotion.String(), Currency: currency, DisplayText: text, LineItems: make([]lineSpecs, len(lines))}
	var off discountSpecs // usually equal for all lines
	for i, l := range lines {
		if i == 0 || l.Amount != lines[i-1].Amount {
			off = l.Amount.specs()
		}
		specs.LineItems[i] = lineSpecs{l.Line.String(), off}
	}
	c.Add(createOrUpdate, specs)
}

// DiscountCart adds a command that creates or updates the discount of a promotion of the tier TierCrossItems. Text has
// the same meaning as in DiscountLines.
func (c *Commands) DiscountCart(promotion uuid.UUID, currency string, text map[string]string, a Amount) {
	c.Add(createOrUpdate, createCross{promotion.String(), currency, text, a.specs()})
}

// Remove adds a command that removes promotions from the cart and from all its lines.
func (c *Commands) Remove(promotions ...uuid.UUID) {
	specs := removeCart{scopeCart, make([]string, len(promotions))}
	for i, id := range promotions {
		specs.PromotionIDs[i] = id.String()
	}
	c.Add(remove, specs)
}

// RemoveLines adds a command that removes a promotion from some lines.
func (c *Commands) RemoveLines(promotion uuid.UUID, lines ...client.ID) {
	specs := removeLines{scopeLines, promotion.String(), make([]string, len(lines))}
	for i, id := range lines {
		specs.LineItems[i] = id.String()
	}
	c.Add(remove, specs)
}

// Add adds a command whose specs are encoded as JSON without changes.
func (c *Commands) Add(name string, specs any) { c.list = append(c.list, command{name, specs}) }

// Len returns the number of commands.
func (c *Commands) Len() int { return len(c.list) }

// mostBrief is the number of parts, or of 64-byte pieces of text, that take about a millisecond to encode and check.
const mostBrief = 1000

// brief reports whether the commands can be encoded and checked in negligible time: they are few, and no code of the
// app takes part.
func (c *Commands) brief() bool {
	parts := len(c.list)
	for i := range c.list {
		switch s := c.list[i].Specs.(type) {
		case createLines:
			parts += len(s.LineItems) + textSize(s.DisplayText)/64
		case createCross:
			parts += textSize(s.DisplayText) / 64
		case removeCart:
			parts += len(s.PromotionIDs)
		case removeLines:
			parts += len(s.LineItems)
		default:
			return false
		}
	}
	return parts <= mostBrief
}

// textSize returns the number of bytes of a text in all its languages.
func textSize(text map[string]string) int {
	size := 0
	for lang, s := range text {
		size += len(lang) + len(s)
	}
	return size
}

// MarshalJSON writes {"commands":[…]}.
func (c *Commands) MarshalJSON() ([]byte, error) {
	out := []byte(`{"commands":[`)
	for i := range c.list {
		if i > 0 {
			out = append(out, ',')
		}
		var err error
		if out, err = c.list[i].appendTo(out); err != nil {
			return wire.Marshal(struct { // its error names the command
				Commands []command `json:"commands"`
			}{c.list})
		}
	}
	return append(out, "]}"...), nil
}

// appendTo appends the command to out. It writes the lines of a promotion, which are most of an answer, without an
// encoder, because ids and amounts require no escaping.
func (c *command) appendTo(out []byte) ([]byte, error) {
	specs, ofLines := c.Specs.(createLines)
	lines := specs.LineItems
	specs.LineItems = nil
	if !ofLines {
		written, err := wire.Marshal(c)
		return append(out, written...), err
	}
	written, err := wire.Marshal(command{c.Command, specs})
	if err != nil {
		return nil, err
	}
	const end, perLine = "]}}", 96
	out = append(slices.Grow(out, len(written)+perLine*len(lines)), written[:len(written)-len(end)]...)
	for i := range lines {
		if i > 0 {
			out = append(out, ',')
		}
		out = append(append(out, `{"line_item":"`...), lines[i].LineItem...)
		out = append(append(out, `","discount_specs":{"type":"`...), lines[i].Discount.Type...)
		out = append(append(out, `","amount":"`...), lines[i].Discount.Amount...)
		out = append(out, `"}}`...)
	}
	return append(out, end...), nil
}

func (a Amount) specs() discountSpecs {
	if a.percentage {
		return discountSpecs{"percentage", a.String()}
	}
	return discountSpecs{"fixed", a.String()}
}
