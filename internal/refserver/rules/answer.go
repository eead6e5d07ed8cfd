package rules

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// commands are the one of each domain.
var commands = map[world.RuleDomain]string{
	world.PaymentRules: "filter_payments_options", world.ShippingRules: "filter_shipping_options",
	world.LocationRules: "location_prioritization", world.CartRules: "block_checkout",
}

// answerJSON has the members that an answer may have.
type answerJSON struct {
	Command string `json:"command"`
	Detail  struct {
		Options []struct {
			ID       string `json:"id"`
			OptionID string `json:"option_id"`
			Code     string `json:"code"`
		} `json:"filtered_options"`
		Locations []struct {
			ID       string `json:"id"`
			Priority int64  `json:"priority"`
		} `json:"location_prioritization"`
	} `json:"detail"`
}

// settle says what the answer of a run means.
func (v *verdict) settle(judge func(*verdict) error) {
	v.Outcome = NoRule
	if v.Reason != "" {
		return
	}
	v.Unread = delivery.Unread[answerJSON](v.Answer)
	some, err := v.read()
	if some && err == nil {
		err = judge(v)
	}
	switch {
	case err != nil:
		v.Reason = err.Error()
	case some:
		v.Outcome = Applied
	}
}

// read reads an answer. It returns false for one that is no rule, and an error for one that was meant to be a rule.
func (v *verdict) read() (some bool, err error) {
	if v.Status < 200 || v.Status > 299 {
		return false, fmt.Errorf("status %d: must be 2xx", v.Status)
	}
	text := bytes.TrimSpace(v.Answer)
	switch {
	case len(text) == 0 || v.Status == 204:
		return false, nil
	case len(text) > delivery.MaxReply:
		return false, fmt.Errorf("answer is longer than %d bytes", delivery.MaxReply)
	case !utf8.Valid(text) || !json.Valid(text):
		return false, errors.New("answer is not JSON in UTF-8")
	}
	top, err := object("answer", text)
	if err != nil || len(top.by) == 0 {
		return false, err
	}
	if v.Command, err = top.text("command"); err != nil {
		return false, err
	}
	if want := commands[v.Domain]; v.Command != want {
		return false, fmt.Errorf("answer.command: %q is not %s, the command of the domain %s", v.Command, want, v.Domain)
	}
	v.detail, err = object("answer.detail", top.by["detail"])
	return err == nil, err
}

// members are those of an object, by their names letter by letter.
type members struct {
	path string
	by   map[string]json.RawMessage
}

func object(path string, raw json.RawMessage) (members, error) {
	m := members{path: path}
	if json.Unmarshal(raw, &m.by) != nil || m.by == nil {
		return m, fmt.Errorf("%s: must be an object", path)
	}
	return m, nil
}

func (m members) text(name string) (string, error) {
	var s *string
	if json.Unmarshal(m.by[name], &s) != nil || s == nil {
		return "", fmt.Errorf("%s.%s: must be a string", m.path, name)
	}
	return *s, nil
}

func (m members) integer(name string) (int64, error) {
	var n *int64
	if json.Unmarshal(m.by[name], &n) != nil || n == nil {
		return 0, fmt.Errorf("%s.%s: must be an integer", m.path, name)
	}
	return *n, nil
}

// list returns the objects of a list.
func (m members) list(name string) ([]members, error) {
	var raws []json.RawMessage
	if json.Unmarshal(m.by[name], &raws) != nil || raws == nil {
		return nil, fmt.Errorf("%s.%s: must be a list", m.path, name)
	}
	var out []members
	for i, raw := range raws {
		one, err := object(fmt.Sprintf("%s.%s[%d]", m.path, name, i), raw)
		if err != nil {
			return nil, err
		}
		out = append(out, one)
	}
	return out, nil
}

// optionKey is an option of a provider or of a carrier, as answers name it. Providers have no codes.
type optionKey struct{ id, option, code string }

// String shows an option as it is written in a record.
func (k optionKey) String() string {
	if k.code == "" {
		return k.id + "/" + k.option
	}
	return k.id + "/" + k.option + "/" + k.code
}

// options returns the options that an answer names.
func (v *verdict) options() ([]optionKey, error) {
	list, err := v.detail.list("filtered_options")
	if err != nil {
		return nil, err
	}
	var out []optionKey
	for _, m := range list {
		var key optionKey
		var wrong [3]error
		key.id, wrong[0] = m.text("id")
		key.option, wrong[1] = m.text("option_id")
		if v.Domain == world.ShippingRules {
			key.code, wrong[2] = m.text("code")
		}
		if err := errors.Join(wrong[:]...); err != nil {
			return nil, err
		}
		out = append(out, key)
	}
	return out, nil
}

// matching judges an answer of options. It notes options that are not offered.
func matching(offered []optionKey) func(*verdict) error {
	return func(v *verdict) (err error) {
		if v.named, err = v.options(); err != nil {
			return err
		}
		for _, key := range v.named {
			if !slices.Contains(offered, key) {
				v.Unmatched = append(v.Unmatched, key.String())
			}
		}
		return nil
	}
}

// hides reports whether a rule takes an option away.
func hides(all []verdict, key optionKey, keep bool) bool {
	return slices.ContainsFunc(all, func(v verdict) bool {
		return v.Outcome == Applied && slices.Contains(v.named, key) != keep
	})
}
