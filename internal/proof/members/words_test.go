package members_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/commerceplatform/commerce-go/internal/proof/contract"
)

// enumerations are the constants of the types of the client that have a method Known, by the name of the type.
func enumerations(t *testing.T) map[string][]string {
	t.Helper()
	constants, known := map[string][]string{}, map[string]bool{}
	for _, dir := range []string{"client", "client/providers", "client/promotions", "client/carriers", "disputes", "shipping", "webhook"} {
		files, err := filepath.Glob("../../../" + dir + "/*.go")
		must(t, err)
		for _, name := range files {
			file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
			must(t, err)
			for _, d := range file.Decls {
				switch d := d.(type) {
				case *ast.FuncDecl:
					if of, ok := receiver(d); ok && d.Name.Name == "Known" {
						known[dir+"."+of] = true
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						constantsOf(spec, func(of, value string) { constants[dir+"."+of] = append(constants[dir+"."+of], value) })
					}
				}
			}
		}
	}
	for name := range constants {
		if !known[name] {
			delete(constants, name)
		}
	}
	return constants
}

func receiver(d *ast.FuncDecl) (name string, ok bool) {
	if d.Recv == nil {
		return "", false
	}
	of, ok := d.Recv.List[0].Type.(*ast.Ident)
	if !ok {
		return "", false
	}
	return of.Name, true
}

// constantsOf finds the texts of constants that have a type.
func constantsOf(spec ast.Spec, found func(of, value string)) {
	v, ok := spec.(*ast.ValueSpec)
	if !ok {
		return
	}
	of, ok := v.Type.(*ast.Ident)
	if !ok {
		return
	}
	for _, one := range v.Values {
		if text, ok := one.(*ast.BasicLit); ok && text.Kind == token.STRING {
			value, err := strconv.Unquote(text.Value)
			if err == nil {
				found(of.Name, value)
			}
		}
	}
}

// elsewhere are enumerations of the client that are no member of a body, with the reason.
var elsewhere = map[string]string{
	"client.CouponStatus": "a query", "client.CouponLimitation": "a query", "client.CouponTerm": "a query", "client.CouponSort": "a query",
	"client.ProductSort": "a query", "client.ProductVisibility": "the server has no such member",
	"client/providers.FailureCode": "any text is stored", "client/providers.LogoSize": "the names of members",
	"shipping.LabelCode": "in the answers of a carrier",
}

// unnamed are words that the client has no enumeration for, by the first of them, with the reason.
var unnamed = map[string]string{
	"LABEL": "a text", "PDF": "a text", "ARS": "currencies", "payments/before-filter": "made from the domain", "filter": "not read",
	"replace": "two methods", "refresh_token": "a constant", "app/uninstalled": "constants of package webhook", "churn": "constants of package webhook",
}

// TestWordsAreThoseOfTheClient compares the words of members with the enumerations of the client. Some enumeration must
// have all words of a member, and the members together all words of an enumeration.
func TestWordsAreThoseOfTheClient(t *testing.T) {
	checker, err := contract.New()
	must(t, err)
	all, left := enumerations(t), map[string][]string{}
	if len(all) < 30 {
		t.Fatalf("%d enumerations", len(all))
	}
	for name, words := range all {
		left[name] = slices.Clone(words)
	}
	all["method types of the checkout"] = append(slices.Clone(all["client/providers.MethodType"]), "other")
	for member, words := range checker.Vocabularies() {
		fits := false
		for name, has := range all {
			if !slices.ContainsFunc(words, func(w string) bool { return !slices.Contains(has, w) }) {
				fits = true
				left[name] = slices.DeleteFunc(left[name], func(w string) bool { return slices.Contains(words, w) })
			}
		}
		if !fits && unnamed[words[0]] == "" {
			t.Errorf("%s: no enumeration of the client has the words %s", member, words)
		}
	}
	for name, words := range left {
		if why, listed := elsewhere[name]; len(words) > 0 != listed {
			t.Errorf("%s: no member of a body has the words %s (%s)", name, words, why)
		}
	}
}
