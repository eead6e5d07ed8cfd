package shop

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// Choice is a rate of the last quote of a cart. An empty field means any. The set fields must name one rate for each
// origin.
type Choice struct {
	// Option is the id of the carrier's option, 0 for any. A contingency has a name only.
	Option int64
	// Code is that of the option, Name and Reference are those of the rate: pickup points have
	// one code.
	Code, Name, Reference string
}

func (c Choice) is(r world.Rate) bool {
	return (c.Option == 0 || c.Option == r.ID) && (c.Code == "" || c.Code == r.Code) &&
		(c.Name == "" || c.Name == r.Name) && (c.Reference == "" || c.Reference == r.Reference)
}

// String names what is set.
func (c Choice) String() string {
	var parts []string
	if c.Option != 0 {
		parts = append(parts, fmt.Sprintf("option %d", c.Option))
	}
	for _, text := range []struct{ name, value string }{{"code", c.Code}, {"name", c.Name}, {"reference", c.Reference}} {
		if text.value != "" {
			parts = append(parts, fmt.Sprintf("%s %q", text.name, text.value))
		}
	}
	return strings.Join(parts, ", ")
}

// chosen is how a basket is shipped.
type chosen struct {
	// digital is set for one of which nothing is.
	digital bool
	rates   []world.Rate
	to      world.Address
	// origins have the locations that lines leave from.
	origins map[int64]string
}

// choose finds the rates that a customer has chosen: for each origin the one of the last
// quote, which has to be about the basket as it is now.
func (b basket) choose(tx *world.Tx, c Choice) (chosen, error) {
	var out chosen
	shipped := slices.DeleteFunc(slices.Clone(b.cart.Lines), func(l world.Line) bool {
		p, ok := tx.Products.Get(l.ProductID)
		return ok && !p.RequiresShipping
	})
	q, quoted := tx.Quotes.Get(b.cart.ID)
	out.digital = len(shipped) == 0
	switch {
	case len(b.cart.Lines) == 0:
		return out, errors.New("it is empty")
	case out.digital && c != (Choice{}):
		return out, fmt.Errorf("rate: %s: nothing in it is shipped: choose none", c)
	case out.digital || c == (Choice{}) && len(q.Rates) == 0:
		return out, nil
	case c == (Choice{}):
		return out, fmt.Errorf("rate: none was chosen: choose one of %s", offers(q.Rates))
	case !quoted:
		return out, fmt.Errorf("rate: %s: there is no quote yet: ask for one first", c)
	}
	if out.origins = leaving(q, shipped); out.origins == nil {
		return out, fmt.Errorf("rate: %s: the last quote was for other lines or quantities: ask for one again", c)
	}
	out.to = q.To
	for _, item := range q.Items {
		if slices.ContainsFunc(out.rates, func(r world.Rate) bool { return r.Location == item.LocationID }) {
			continue
		}
		r, err := c.from(q, item.LocationID)
		if err != nil {
			return out, err
		}
		out.rates = append(out.rates, r)
	}
	return out, nil
}

// leaving is where lines leave from, nil if the quote was not for them.
func leaving(q world.Quote, lines []world.Line) map[int64]string {
	items := slices.Clone(q.Items)
	out := map[int64]string{}
	for _, l := range lines {
		at := slices.IndexFunc(items, func(i world.QuotedItem) bool {
			return i.VariantID == l.VariantID && i.Quantity == l.Quantity
		})
		if at < 0 {
			return nil
		}
		out[l.ID] = items[at].LocationID
		items = slices.Delete(items, at, at+1)
	}
	if len(items) > 0 {
		return nil
	}
	return out
}

// from is the rate of an origin that the choice names.
func (c Choice) from(q world.Quote, location string) (world.Rate, error) {
	var offered, named []world.Rate
	for _, r := range q.Rates {
		if r.Location != location {
			continue
		}
		offered = append(offered, r)
		if c.is(r) {
			named = append(named, r)
		}
	}
	switch {
	case len(offered) == 0:
		return world.Rate{}, fmt.Errorf("rate: %s: the last quote has no rates for what leaves from location %s", c, location)
	case len(named) == 0:
		nearest := offers([]world.Rate{c.nearest(offered)})
		return world.Rate{}, fmt.Errorf("rate: %s: the last quote has no such rate; the nearest is %s", c, nearest)
	case len(named) > 1:
		return world.Rate{}, fmt.Errorf("rate: %s: the last quote has %d such rates: name one of %s",
			c, len(named), offers(named))
	case !named[0].Available:
		return world.Rate{}, fmt.Errorf("rate: %s: the point has not everything in stock", c)
	}
	return named[0], nil
}

// offers are rates as an error names them.
func offers(rates []world.Rate) string {
	var out []string
	for _, r := range rates {
		c := Choice{Option: r.ID, Code: r.Code, Name: r.Name, Reference: r.Reference}
		out = append(out, fmt.Sprintf("(%s) at %s %s", c, r.Price.StringFixed(2), r.Currency))
	}
	return strings.Join(out, ", ")
}

// nearest is the rate whose texts differ least from those of the choice.
func (c Choice) nearest(rates []world.Rate) world.Rate {
	return slices.MinFunc(rates, func(a, b world.Rate) int { return c.distance(a) - c.distance(b) })
}

func (c Choice) distance(r world.Rate) int {
	sum := 0
	for _, text := range [][2]string{{c.Code, r.Code}, {c.Name, r.Name}, {c.Reference, r.Reference}} {
		if text[0] != "" {
			sum += edits(strings.ToLower(text[0]), strings.ToLower(text[1]))
		}
	}
	if c.Option != 0 && c.Option != r.ID {
		sum++
	}
	return sum
}

// edits is how many letters have to be added, left out or replaced to make b of a. Longer
// texts than those of rates are cut.
func edits(a, b string) int {
	const longest = 100
	from, to := []rune(a), []rune(b)
	from, to = from[:min(len(from), longest)], to[:min(len(to), longest)]
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, r := range from {
		corner := row[0]
		row[0] = i + 1
		for j, t := range to {
			same := corner
			if r != t {
				same++
			}
			corner = row[j+1]
			row[j+1] = min(same, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(to)]
}
