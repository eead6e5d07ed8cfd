package shop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/refserver/delivery"
	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// known are the promotions of the cases: two of each tier, one of another app and one
// that is not active. The cart has the lines 71 and 72 and costs ARS.
func known(tier world.Tier) rules {
	promotions := map[string]world.Promotion{}
	for _, p := range []world.Promotion{
		{ID: "line", AppID: 1, Tier: world.LineItem, Active: true},
		{ID: "line2", AppID: 1, Tier: world.LineItem, Active: true},
		{ID: "cross", AppID: 1, Tier: world.CrossItems, Active: true},
		{ID: "cross2", AppID: 1, Tier: world.CrossItems, Active: true},
		{ID: "idle", AppID: 1, Tier: tier},
		{ID: "theirs", AppID: 2, Tier: tier, Active: true},
	} {
		promotions[p.ID] = p
	}
	return rules{app: 1, tier: tier, currency: "ARS", lines: map[int64]bool{71: true, 72: true},
		promotion: func(id string) (world.Promotion, bool) { p, ok := promotions[id]; return p, ok }}
}

// faultOf is what the validator says of an answer, empty for a valid one.
func faultOf(tier world.Tier, answer string) string {
	_, faults, err := known(tier).read([]byte(answer))
	for _, fault := range faults {
		err = cmp.Or(err, fault)
	}
	if err == nil {
		return ""
	}
	return err.Error()
}

const (
	tenOff     = `"discount_specs":{"type":"percentage","amount":"10.00"}`
	onLine     = `{"command":"create_or_update_discount","specs":{"promotion_id":"line","currency":"ARS","line_items":[{"line_item":"71",` + tenOff + `}]}}`
	onCart     = `{"command":"create_or_update_discount","specs":{"promotion_id":"cross","currency":"ARS",` + tenOff + `}}`
	removeCart = `{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["%s"]}}`
	removeLine = `{"command":"remove_discount","specs":{"scope":"line_item","promotion_id":"line","line_items":["71"]}}`
)

func answer(commands ...string) string { return `{"commands":[` + strings.Join(commands, ",") + `]}` }

// changed is a command with one part of it written in another way.
func changed(command, part, other string) string {
	if !strings.Contains(command, part) {
		panic(fmt.Sprintf("%s has no %s", command, part))
	}
	return answer(strings.Replace(command, part, other, 1))
}

func TestValidAnswers(t *testing.T) {
	lines := []string{
		`{"commands":[]}`,
		answer(onLine),
		answer(removeLine),
		answer(fmt.Sprintf(removeCart, "line")),
		answer(onLine, fmt.Sprintf(removeCart, "line2")),
		answer(onLine, strings.Replace(removeLine, `["71"]`, `["72"]`, 1)),
		answer(onLine, strings.Replace(onLine, `"line"`, `"line2"`, 1)),
		answer(onLine, strings.Replace(onLine, `"71"`, `"72"`, 1)),
		changed(onLine, `"currency"`, `"display_text":{"es-ar":"Diez","en":"Ten"},"currency"`),
		changed(onLine, `"currency"`, `"display_text":{},"currency"`),
		changed(onLine, `"percentage","amount":"10.00"`, `"fixed","amount":"250.00"`),
		changed(onLine, `"10.00"`, `"100.00"`),
		changed(onLine, `"10.00"`, `"0.00"`),
		// The schema has scope and ids beside command.
		answer(`{"command":"remove_discount","scope":"line_item","promotion_id":"line","line_items":["72"]}`),
		answer(`{"command":"remove_discount","scope":"cart","specs":{"promotion_ids":["line","line2"]}}`),
		changed(onLine, `"specs":{"promotion_id":"line",`, `"promotion_id":"line","specs":{`),
		answer(`{"command":"create_or_update_discount","promotion_id":"line","line_items":[{"line_item":"71","discount_specs":{"type":"fixed","amount":"1.00"}}],"specs":{"currency":"ARS"}}`),
	}
	for _, a := range lines {
		if fault := faultOf(world.LineItem, a); fault != "" {
			t.Errorf("line_item: %s: %s", a, fault)
		}
	}
	for _, a := range []string{
		answer(onCart),
		answer(fmt.Sprintf(removeCart, "cross"), strings.Replace(onCart, `"cross"`, `"cross2"`, 1)),
		// The examples of the documentation, with the ids of the cases.
		`{"commands":[{"command":"create_or_update_discount","specs":{"promotion_id":"cross","currency":"ARS","display_text":{"es-ar":"t"},"discount_specs":{"type":"fixed","amount":"20.00"}}}]}`,
		`{"commands":[{"command":"remove_discount","specs":{"scope":"cart","promotion_ids":["cross2"]}}]}`,
	} {
		if fault := faultOf(world.CrossItems, a); fault != "" {
			t.Errorf("cross_items: %s: %s", a, fault)
		}
	}
}

// invalid are answers with the words that say what is wrong with them.
func invalid() map[world.Tier]map[string]string {
	on, at := changed, "commands[0].specs."
	item := at + "line_items[0]."
	lines := map[string]string{
		"":                              "answer is not JSON",
		"<html>":                        "answer is not JSON",
		`{"commands":[]}{}`:             "answer is not JSON",
		"{\"commands\":[],\"\xff\":1}":  "answer is not UTF-8",
		`null`:                          "answer: null is not an object",
		`[` + onLine + `]`:              "is not an object",
		`{}`:                            "answer.commands: is missing",
		`{"commands":null}`:             "commands: null is not an array",
		`{"commands":{}}`:               "commands: {} is not an array",
		`{"commands":[],"x":1}`:         "answer.x: there is no such member here",
		`{"commands":[],"commands":[]}`: `answer has the member "commands" twice`,
		answer(`null`):                  "commands[0]: null is not an object",
		answer(`"remove_discount"`):     "is not an object",
		answer(`{"specs":{}}`):          "commands[0].command: is missing",
		on(onLine, `"create_or_update_discount"`, `"create_discount"`):                                `"create_discount" is none of create_or_update_discount, remove_discount`,
		on(onLine, `"create_or_update_discount"`, `1`):                                                "commands[0].command: 1 is not a string",
		answer(`{"command":"create_or_update_discount"}`):                                             "commands[0].specs: is missing",
		answer(`{"command":"create_or_update_discount","specs":[]}`):                                  "commands[0].specs: [] is not an object",
		on(onLine, `"specs"`, `"promotion_id":"line","specs"`):                                        "commands[0].promotion_id: stands in specs too",
		on(onLine, `"specs"`, `"scope":"line_item","specs"`):                                          "commands[0].scope: is not a member of create_or_update_discount in the tier line_item",
		on(onLine, `"specs"`, `"id":1,"specs"`):                                                       "commands[0].id: there is no such member here",
		on(onLine, `"promotion_id":"line",`, ``):                                                      at + "promotion_id: is missing",
		on(onLine, `"promotion_id":"line"`, `"promotion_id":""`):                                      at + "promotion_id: is empty",
		on(onLine, `"promotion_id":"line"`, `"promotion_id":7`):                                       at + "promotion_id: 7 is not a string",
		on(onLine, `"promotion_id":"line"`, `"promotionId":"line"`):                                   at + "promotionId: there is no such member here",
		on(onLine, `"line"`, `"none"`):                                                                at + `promotion_id: promotion "none" does not belong to the app and the store`,
		on(onLine, `"line"`, `"theirs"`):                                                              `promotion "theirs" does not belong`,
		on(onLine, `"line"`, `"cross"`):                                                               `promotion "cross" is of the tier cross_items, and this is line_item`,
		on(onLine, `"line"`, `"idle"`):                                                                `promotion "idle" is not active`,
		on(onLine, `"currency":"ARS",`, ``):                                                           at + "currency: is missing",
		on(onLine, `"ARS"`, `"USD"`):                                                                  at + `currency: "USD" is not the currency of the cart, ARS`,
		on(onLine, `"ARS"`, `"ars"`):                                                                  `"ars" is not the currency`,
		on(onLine, `"ARS"`, `null`):                                                                   at + "currency: null is not a string",
		on(onLine, `"currency"`, `"display_text":"Ten","currency"`):                                   at + `display_text: "Ten" is not an object`,
		on(onLine, `"currency"`, `"display_text":{"es_AR":"Diez"},"currency"`):                        `"es_AR" is not a language id such as es-ar`,
		on(onLine, `"currency"`, `"display_text":{"es-ar":10},"currency"`):                            at + "display_text.es-ar: 10 is not a string",
		on(onLine, `"line_items":[{"line_item":"71",`+tenOff+`}]`, tenOff):                            at + "discount_specs: there is no such member here",
		on(onLine, `,"line_items":[{"line_item":"71",`+tenOff+`}]`, ``):                               at + "line_items: is missing",
		on(onLine, `[{"line_item":"71",`+tenOff+`}]`, `[]`):                                           at + "line_items: has no elements",
		on(onLine, `[{"line_item":"71",`+tenOff+`}]`, `["71"]`):                                       at + `line_items[0]: "71" is not an object`,
		on(onLine, `"71"`, `71`):                                                                      item + "line_item: 71 is not a string",
		on(onLine, `"71"`, `"73"`):                                                                    item + `line_item: line item "73" is not in the cart`,
		on(onLine, `"71"`, `"071"`):                                                                   `line item "071" is not in the cart`,
		on(onLine, `"71"`, `"+71"`):                                                                   `line item "+71" is not in the cart`,
		on(onLine, `"line_item":"71"`, `"id":"71"`):                                                   item + "id: there is no such member here",
		on(onLine, `"line_item":"71",`, ``):                                                           item + "line_item: is missing",
		on(onLine, `,`+tenOff, ``):                                                                    item + "discount_specs: is missing",
		on(onLine, `"type":"percentage",`, ``):                                                        item + "discount_specs.type: is missing",
		on(onLine, `"percentage"`, `"percent"`):                                                       `"percent" is none of fixed, percentage`,
		on(onLine, `,"amount":"10.00"`, ``):                                                           item + "discount_specs.amount: is missing",
		on(onLine, `"10.00"`, `10.00`):                                                                item + "discount_specs.amount: 10.00 is not a string",
		on(onLine, `"10.00"`, `"10"`):                                                                 `"10" is not an amount with two decimals and a point`,
		on(onLine, `"10.00"`, `"10.0"`):                                                               `"10.0" is not an amount`,
		on(onLine, `"10.00"`, `"10.000"`):                                                             `"10.000" is not an amount`,
		on(onLine, `"10.00"`, `"10,00"`):                                                              `"10,00" is not an amount`,
		on(onLine, `"10.00"`, `"-10.00"`):                                                             `"-10.00" is not an amount`,
		on(onLine, `"10.00"`, `"+10.00"`):                                                             `"+10.00" is not an amount`,
		on(onLine, `"10.00"`, `".10"`):                                                                `".10" is not an amount`,
		on(onLine, `"10.00"`, `"1e1.00"`):                                                             `"1e1.00" is not an amount`,
		on(onLine, `"10.00"`, `"10.00%"`):                                                             `"10.00%" is not an amount`,
		on(onLine, `"10.00"`, `" 10.00"`):                                                             `" 10.00" is not an amount`,
		on(onLine, `"10.00"`, `"NaN"`):                                                                `"NaN" is not an amount`,
		on(onLine, `"10.00"`, `"007.00"`):                                                             `"007.00" is not an amount`,
		on(onLine, `"10.00"`, `"1000000000000000.00"`):                                                "is not an amount",
		on(onLine, `"10.00"`, `"100.01"`):                                                             "100.01 percent is more than 100",
		on(onLine, `"10.00"`, `"10.00","currency":"ARS"`):                                             item + "discount_specs.currency: there is no such member here",
		answer(onLine, onLine):                                                                        `commands[1]: promotion "line": the answer names it twice`,
		on(onLine, `"line_items":[`, `"line_items":[{"line_item":"71",`+tenOff+`},`):                  `commands[0]: promotion "line": the answer names it twice`,
		answer(onLine, removeLine):                                                                    `commands[1]: promotion "line": the answer names it twice`,
		answer(onLine, fmt.Sprintf(removeCart, "line")):                                               `commands[1]: promotion "line": the answer names it twice`,
		answer(fmt.Sprintf(removeCart, "line"), onLine):                                               `commands[1]: promotion "line": the answer names it twice`,
		answer(onLine, `{"command":"remove_discount","specs":{}}`):                                    "commands[1].specs.scope: is missing",
		on(removeLine, `"scope":"line_item"`, `"scope":"order"`):                                      `"order" is none of cart, line_item`,
		on(removeLine, `"specs":{"scope":"line_item"`, `"scope":"line_item","specs":{"scope":"cart"`): "commands[0].scope: stands in specs too",
		on(removeLine, `"promotion_id":"line",`, ``):                                                  "promotion_id: is missing",
		on(removeLine, `"promotion_id":"line"`, `"promotion_ids":["line"]`):                           "promotion_ids: is for the scope cart",
		on(removeLine, `,"line_items":["71"]`, ``):                                                    "line_items: is missing",
		on(removeLine, `["71"]`, `[]`):                                                                "line_items: has no elements",
		on(removeLine, `["71"]`, `[71]`):                                                              "line_items[0]: 71 is not a string",
		on(removeLine, `["71"]`, `["99"]`):                                                            `line item "99" is not in the cart`,
		on(removeLine, `["71"]`, `[{"line_item":"71"}]`):                                              "is not a string",
		on(removeLine, `"line_items"`, `"currency":"ARS","line_items"`):                               "currency: there is no such member here",
		on(removeLine, `"line"`, `"theirs"`):                                                          `promotion "theirs" does not belong`,
		answer(fmt.Sprintf(removeCart, `line","line`)):                                                `promotion "line": the answer names it twice`,
		answer(fmt.Sprintf(removeCart, "theirs")):                                                     `promotion_ids[0]: promotion "theirs" does not belong`,
		answer(fmt.Sprintf(removeCart, "cross")):                                                      "is of the tier cross_items",
		on(fmt.Sprintf(removeCart, "line"), `"promotion_ids":["line"]`, `"promotion_ids":"line"`):     `promotion_ids: "line" is not an array`,
		on(fmt.Sprintf(removeCart, "line"), `"promotion_ids":["line"]`, `"promotion_ids":[]`):         "promotion_ids: has no elements",
		on(fmt.Sprintf(removeCart, "line"), `["line"]`, `["line"],"line_items":["71"]`):               "line_items: is for the scope line_item",
		`{"commands":[],"x":"` + strings.Repeat("x", delivery.MaxReply) + `"}`:                        "answer is longer than 1048576 bytes",
	}
	cross := map[string]string{
		on(onCart, `,`+tenOff, ``): at + "discount_specs: is missing",
		on(onCart, tenOff, tenOff+`,"line_items":[{"line_item":"71",`+tenOff+`}]`): at + "line_items: there is no such member here",
		on(onCart, tenOff, `"discount_specs":"10.00"`):                             at + `discount_specs: "10.00" is not an object`,
		on(onCart, `"cross"`, `"line"`):                                            `promotion "line" is of the tier line_item, and this is cross_items`,
		on(onCart, `"ARS"`, `"BRL"`):                                               `"BRL" is not the currency of the cart, ARS`,
		answer(onCart, fmt.Sprintf(removeCart, "cross")):                           "the answer names it twice",
		answer(removeLine):                                                         "the scope line_item is for the tier line_item",
		answer(fmt.Sprintf(removeCart, "line")):                                    "is of the tier line_item",
		answer(onLine):                                                             "there is no such member here",
	}
	return map[world.Tier]map[string]string{world.LineItem: lines, world.CrossItems: cross}
}

func TestInvalidAnswers(t *testing.T) {
	n := 0
	for tier, answers := range invalid() {
		for a, want := range answers {
			n++
			if fault := faultOf(tier, a); !strings.Contains(fault, want) || fault == "" {
				t.Errorf("%s: %.200s: got %q, want %q", tier, a, fault, want)
			}
		}
	}
	if n < 40 {
		t.Errorf("%d cases", n)
	}
}

// Every command is judged, also behind one that is not valid.
func TestEveryCommandIsJudged(t *testing.T) {
	_, faults, err := known(world.LineItem).read([]byte(answer(onLine, `{}`, removeLine, `7`)))
	valid := func(fault error) bool { return fault == nil }
	if err != nil || len(faults) != 4 || !valid(faults[0]) || slices.ContainsFunc(faults[1:], valid) {
		t.Errorf("got %v, %v", faults, err)
	}
}
