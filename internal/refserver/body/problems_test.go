package body

import (
	"testing"

	"github.com/shopspring/decimal"
)

func TestProblemsAnswerInEachShape(t *testing.T) {
	none := &Problems{}
	for _, err := range []error{none.Err(), none.ErrBy(400), none.Fields(), none.Described(), none.Exception()} {
		if err != nil {
			t.Errorf("nothing is wrong: got %v", err)
		}
	}
	p := &Problems{}
	p.Add("name", NotEmpty)
	p.Add("lang", BeString)
	p.Add("name", BeString)
	p.Add("name", NotEmpty) // once is enough
	const fields = `"lang":["must be a string"],"name":["should not be empty","must be a string"]`
	const common = `,"message":"Unprocessable Entity",`
	for want, err := range map[string]error{
		`422 {"code":422,"description":"Validation error",` + `"lang":["must be a string"]` + common +
			`"name":["should not be empty","must be a string"]}`: p.Err(),
		`422 {` + fields + `}`: p.Fields(),
		described(fields):      p.Described(),
		`400 {"error":{"code":"BadRequestException","detail":["name should not be empty","lang must be a string",` +
			`"name must be a string"],"status":400}}`: p.Exception(),
	} {
		if got := text(err); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
	if got, want := text(Missing("owner_id")), `422 {"code":422,"description":"Validation error","message":"Unprocessable Entity",`+
		`"owner_id":["The owner id field is required."]}`; got != want {
		t.Errorf("missing: got %s, want %s", got, want)
	}
}

func TestChecks(t *testing.T) {
	p := &Problems{}
	p.Require("owner_id", false)
	p.Select("image_id", false)
	p.Choice("value_type", "date", []string{"text"})
	p.AtMost("seo_title", "ééé", 2)
	p.Cost("cost", Scalar{Text: "-1"})
	p.Within("quantity", Scalar{Text: "2.5"}, 1, 9)
	now := decimal.NewNullDecimal(decimal.NewFromInt(7))
	if got := p.Amount("price", Scalar{Present: true, Text: "x"}, now, 2, "no number", "negative"); got != now {
		t.Errorf("refused amount: got %v, want what was there", got)
	}
	p.Amount("depth", Scalar{Present: true, Text: "-1"}, now, 2, "no number", "negative")
	for field, want := range map[string]string{
		"owner_id":   "The owner id field is required.",
		"image_id":   "The selected image id is invalid.",
		"value_type": "The selected value type is invalid.",
		"seo_title":  "The seo title may not be greater than 2 characters.",
		"cost":       "The cost must be a number that is at least 0.",
		"quantity":   "The quantity must be an integer from 1 to 9.",
		"price":      "no number",
		"depth":      "negative",
	} {
		if got := p.Of(field); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", field, got, want)
		}
	}
	fine := &Problems{}
	fine.Require("a", true)
	fine.Select("h", true)
	fine.Choice("b", "x", []string{"x"})
	fine.AtMost("c", "éé", 2)
	cost, count := fine.Cost("d", Scalar{Text: "1.005"}), fine.Within("e", Scalar{Text: "9"}, 1, 9)
	null := fine.Amount("f", Scalar{Present: true}, now, 2, "", "")
	kept := fine.Amount("g", Scalar{}, now, 2, "", "")
	if fine.Any() || cost.String() != "1.01" || count != 9 || null.Valid || kept != now {
		t.Errorf("got %v, %v, %v, %v, %v", fine.ByField(), cost, count, null, kept)
	}
}
