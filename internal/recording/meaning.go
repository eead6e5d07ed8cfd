package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// facts are the meaning of an answer: its statements, by their subject, such as a promotion on a line. Neither the
// order of subjects nor that of statements has a meaning.
type facts map[string][]string

func (f facts) add(subject, format string, args ...any) {
	f[subject] = append(f[subject], fmt.Sprintf(format, args...))
}

// Differences says what an answer means otherwise than the recorded one, in words, one for each subject; nothing if it
// means the same. The status counts, as the platform acts by it. The texts that customers read and the dates of rates
// are not compared, since a recording has not the texts, and the dates move from day to day.
func Differences(r Record, status int, answer []byte) []string {
	var out []string
	if r.Status != status {
		out = append(out, fmt.Sprintf("status: %d, was %d", status, r.Status))
	}
	was, is := factsOf(r, r.Status, []byte(r.Answer)), factsOf(r, status, answer)
	all := maps.Clone(was)
	maps.Copy(all, is)
	for _, subject := range slices.Sorted(maps.Keys(all)) {
		slices.Sort(was[subject])
		slices.Sort(is[subject])
		if !slices.Equal(was[subject], is[subject]) {
			out = append(out, fmt.Sprintf("%s: %s, was %s", subject, said(is[subject]), said(was[subject])))
		}
	}
	return out
}

func said(all []string) string {
	if len(all) == 0 {
		return "nothing"
	}
	return strings.Join(all, " and ")
}

// factsOf reads an answer as far as the platform does.
func factsOf(r Record, status int, answer []byte) facts {
	out := facts{}
	var read func([]byte, facts) bool
	switch {
	case r.Kind == Carts && status == 200:
		read = commands
	case r.Kind == Rates && status >= 200 && status < 300:
		read = rates
	case r.Kind == Labels && status == 207:
		read = labels
	case r.Kind == Payments && r.Operation == Refund && status == 422:
		read = refusal
	case r.Kind == Payments && r.Operation == Status && status == 200:
		read = transactions
	default:
		return out
	}
	if !read(answer, out) {
		return facts{"the answer": {"not of the form that the contract has"}}
	}
	return out
}

// promised is a command of a discount app. Its ids may be next to specs.
type promised struct {
	Command string `json:"command"`
	targets
	Specs struct {
		targets
		Currency  string   `json:"currency"`
		Reduction discount `json:"discount_specs"`
	} `json:"specs"`
}

type targets struct {
	Scope      string            `json:"scope"`
	Promotion  string            `json:"promotion_id"`
	Promotions []string          `json:"promotion_ids"`
	Lines      []json.RawMessage `json:"line_items"`
}

type discount struct {
	Type   string          `json:"type"`
	Amount json.RawMessage `json:"amount"`
}

func (d discount) in(currency string) string {
	if d.Type == "percentage" {
		return normal(d.Amount) + " % off"
	}
	return fmt.Sprintf("%s %s %s off", d.Type, normal(d.Amount), currency)
}

func commands(answer []byte, out facts) bool {
	var body struct {
		Commands []promised `json:"commands"`
	}
	if json.Unmarshal(answer, &body) != nil || body.Commands == nil {
		return false
	}
	for _, c := range body.Commands {
		t := c.Specs.targets
		if t.Scope == "" {
			t.Scope = c.Scope
		}
		if t.Promotion == "" {
			t.Promotion = c.Promotion
		}
		t.Promotions, t.Lines = append(t.Promotions, c.Promotions...), append(t.Lines, c.Lines...)
		switch {
		case c.Command != "remove_discount" && len(t.Lines) == 0:
			out.add(about(t.Promotion, ""), "%s", c.Specs.Reduction.in(c.Specs.Currency))
		case c.Command != "remove_discount":
			for _, raw := range t.Lines {
				var line struct {
					Line      json.RawMessage `json:"line_item"`
					Reduction discount        `json:"discount_specs"`
				}
				if json.Unmarshal(raw, &line) != nil {
					return false
				}
				out.add(about(t.Promotion, normal(line.Line)), "%s", line.Reduction.in(c.Specs.Currency))
			}
		case t.Scope == "cart":
			for _, promotion := range t.Promotions {
				out.add(about(promotion, ""), "removed")
			}
		default:
			for _, line := range t.Lines {
				out.add(about(t.Promotion, normal(line)), "removed")
			}
		}
	}
	return true
}

// about names a promotion on a line, or on the whole cart.
func about(promotion, line string) string {
	if line == "" {
		return fmt.Sprintf("promotion %s on the cart", promotion)
	}
	return fmt.Sprintf("promotion %s on line %s", promotion, line)
}

// rates are compared by their type and code. Several pickup rates may have one code.
func rates(answer []byte, out facts) bool {
	var body struct {
		Rates []struct {
			Code, Type, Currency string
			Price                json.RawMessage
			Merchant             json.RawMessage `json:"price_merchant"`
			IDRequired           bool            `json:"id_required"`
			PhoneRequired        bool            `json:"phone_required"`
			COD                  *bool           `json:"accepts_cod"`
			Available            *bool           `json:"availability"`
		}
	}
	if json.Unmarshal(answer, &body) != nil || body.Rates == nil {
		return false
	}
	for _, r := range body.Rates {
		price := fmt.Sprintf("%s %s", normal(r.Price), r.Currency)
		if m := normal(r.Merchant); m != "" && m != normal(r.Price) {
			price += fmt.Sprintf(" (merchant %s)", m)
		}
		for _, flag := range []struct {
			set  bool
			text string
		}{
			{r.IDRequired, "identification required"}, {r.PhoneRequired, "phone required"},
			{r.COD != nil && !*r.COD, "no cash on delivery"}, {r.Available != nil && !*r.Available, "out of stock"},
		} {
			if flag.set {
				price += ", " + flag.text
			}
		}
		out.add(fmt.Sprintf("%s rate %s", r.Type, r.Code), "%s", price)
	}
	return true
}

// labels of an answer 207, in either of its forms.
func labels(answer []byte, out facts) bool {
	type part struct {
		ID     string          `json:"id"`
		Label  string          `json:"label_id"`
		Status string          `json:"status"`
		Reason json.RawMessage `json:"reason"`
	}
	var body struct {
		Labels []part `json:"labels"`
	}
	parts := &body.Labels
	if json.Unmarshal(answer, parts) != nil && json.Unmarshal(answer, &body) != nil {
		return false
	}
	for _, p := range *parts {
		var reason struct{ Code, Type string }
		_ = json.Unmarshal(p.Reason, &reason) // a text has no code
		out.add("label "+p.ID+p.Label, "%s", strings.Join(strings.Fields(p.Status+" "+reason.Code+" "+reason.Type), " "))
	}
	return true
}

func refusal(answer []byte, out facts) bool {
	var body struct {
		Code string `json:"error_code"`
	}
	if json.Unmarshal(answer, &body) != nil {
		return false
	}
	out.add("error_code", "%s", body.Code)
	return true
}

// transactions have no form in the contract, so they are counted.
func transactions(answer []byte, out facts) bool {
	var body struct {
		Transactions []json.RawMessage `json:"transactions"`
	}
	if json.Unmarshal(answer, &body) != nil || body.Transactions == nil {
		return false
	}
	out.add("transactions", "%d", len(body.Transactions))
	return true
}

// normal is an amount or an id as it is compared: a text or a number, without zeros at its end.
func normal(raw json.RawMessage) string {
	s := string(bytes.Trim(raw, `"`))
	if s == "null" {
		return ""
	}
	if strings.Contains(s, ".") && strings.Trim(s, "-.0123456789") == "" {
		s = strings.TrimSuffix(strings.TrimRight(s, "0"), ".")
	}
	return s
}
