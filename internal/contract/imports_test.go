package contract

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule says what a part of the house may import. The rule with the longest prefix holds.
type rule struct {
	prefix string
	ours   []string // packages of this module, "…/" for a whole tree
	others []string // modules of others, beside the standard library
}

var rules = []rule{
	{"client", []string{"client/access", "client/value", "internal/address", "internal/condition", "internal/engine", "internal/lru", "internal/rounds", "internal/wire"}, []string{
		"golang.org/x/oauth2", "github.com/shopspring/decimal", "github.com/google/uuid", "github.com/oklog/ulid/v2",
	}},
	{"client/value", []string{"internal/wire"}, []string{"github.com/shopspring/decimal"}},
	{"client/access", []string{"client/value", "internal/condition", "internal/lru", "internal/rounds"}, nil},
	{"client/v1", []string{"client", "client/carriers", "client/promotions", "client/providers", "disputes", "internal/engine"}, nil},
	{"client/v202503", []string{"client", "client/carriers", "client/promotions", "client/providers", "internal/engine"}, nil},
	{"client/unstable", []string{"client", "client/carriers", "client/promotions", "client/providers", "disputes", "internal/engine"}, nil},
	{"client/clienttest/pages", []string{"client/clienttest", "client/contract", "internal/refserver/console", "internal/refserver/control"}, nil},
	{"client/promotions", []string{"client", "internal/address", "internal/engine", "internal/wire"}, []string{"github.com/google/uuid"}},
	{"client/carriers", []string{"client", "internal/address", "internal/engine", "internal/wire"}, nil},
	{"client/providers", []string{"client", "internal/address", "internal/engine", "internal/wire"}, []string{"github.com/google/uuid", "github.com/shopspring/decimal"}},
	{"client/contract", nil, nil},
	{"client/clienttest", []string{"client", "internal/refserver/…", "internal/refserver"}, []string{"golang.org/x/oauth2", "github.com/google/uuid", "github.com/oklog/ulid/v2"}},
	{"oauth", []string{"client", "internal/callback", "internal/lru", "internal/rounds"}, []string{"golang.org/x/oauth2"}},
	{"oauth/oauthtest", []string{"client", "oauth"}, nil},
	{"oauth/sqlstore", []string{"client", "internal/rounds", "internal/tables", "oauth"}, nil},
	{"client/appdb", []string{"internal/tables"}, nil},
	{"client/sqljournal", []string{"client", "internal/tables"}, []string{"github.com/oklog/ulid/v2"}},
	{"client/sqlcopy", []string{"client", "internal/tables"}, nil},
	{"client/sqljobs", []string{"client", "internal/rounds", "internal/tables"}, nil},
	{"client/multistore", []string{"client", "client/appdb", "client/sqlcopy", "client/sqljobs", "discounts", "internal/address", "internal/tables", "oauth", "oauth/sqlstore", "webhook", "webhook/inboxops"}, nil},
	{"client/multistore/multistoretest", []string{"client", "client/clienttest", "client/multistore", "oauth", "oauth/sqlstore"}, nil},
	{"webhook", []string{"client/access", "client/value", "internal/callback", "internal/condition", "internal/rounds", "internal/wire"}, []string{"golang.org/x/time/rate", "github.com/google/uuid", "github.com/oklog/ulid/v2"}},
	{"webhook/inboxmem", []string{"client/value", "internal/browsing", "internal/callback", "webhook"}, nil},
	{"webhook/inboxops", []string{"client", "internal/callback", "webhook"}, nil},
	{"webhook/inboxshards", []string{"client/value", "internal/browsing", "internal/callback", "internal/lru", "webhook"}, []string{"github.com/sony/gobreaker/v2"}},
	{"webhook/inboxtest", []string{"client", "webhook"}, nil},
	{"discounts", []string{"client", "client/promotions", "internal/callback", "internal/engine", "internal/lru", "internal/rounds", "internal/wire"}, []string{"github.com/google/uuid"}},
	{"discounts/rules", []string{"client", "discounts", "internal/callback", "internal/engine", "internal/wire"}, []string{"github.com/oklog/ulid/v2"}},
	{"disputes", []string{"client", "internal/address", "internal/engine", "internal/wire"}, []string{"github.com/google/uuid"}},
	{"webhook/webhooktest", []string{"client", "internal/recording", "webhook"}, nil},
	{"discounts/discountstest", []string{"client", "discounts", "internal/recording"}, nil},
	{"shipping/shippingtest", []string{"client", "internal/recording", "shipping"}, nil},
	{"payments/paymentstest", []string{"client", "client/providers", "internal/recording", "payments"}, []string{"github.com/google/uuid"}},
	{"payments", []string{"client", "client/providers", "internal/address", "internal/callback", "internal/engine", "internal/lru", "internal/rounds", "internal/wire"}, []string{"github.com/google/uuid", "github.com/oklog/ulid/v2", "github.com/shopspring/decimal"}},
	{"payments/sqlledger", []string{"client", "internal/tables", "payments"}, []string{"github.com/google/uuid"}},
	{"shipping", []string{"client", "client/carriers", "internal/callback", "internal/engine", "internal/lru", "internal/wire"}, []string{
		"github.com/oklog/ulid/v2", "github.com/shopspring/decimal", "github.com/sony/gobreaker/v2",
	}},
	{"shipping/sqlrates", []string{"client", "internal/tables", "shipping"}, nil},
	{"internal/address", nil, nil},
	{"internal/bench", []string{"client", "client/clienttest", "client/v202503", "internal/refserver/…", "internal/refserver", "webhook"}, nil},
	{"internal/browsing", []string{"webhook"}, nil},
	{"internal/callback", []string{"client/access", "client/value", "internal/lru", "internal/rounds", "internal/wire"}, nil},
	{"internal/deviate", nil, []string{"github.com/go-json-experiment/json/jsontext"}},
	{"internal/condition", nil, nil},
	{"internal/engine", []string{"internal/condition", "internal/wire"}, []string{"golang.org/x/oauth2", "github.com/hashicorp/go-retryablehttp", "github.com/sony/gobreaker/v2"}},
	{"internal/hooktest", nil, nil},
	{"internal/hostile", []string{"internal/wire"}, []string{"github.com/go-json-experiment/json/jsontext", "github.com/jarcoal/httpmock"}},
	{"internal/lru", nil, nil},
	{"internal/pgtest", nil, nil},
	{"internal/proctest", nil, nil},
	{"internal/recording", nil, nil},
	{"internal/rounds", nil, nil},
	{"internal/scenariotest", []string{"client", "client/clienttest", "internal/proctest", "payments"}, nil},
	{"internal/services", []string{"client", "client/v1", "client/v202503", "client/unstable"}, nil},
	{"internal/refserver/tap", nil, nil},
	{"internal/tables", nil, nil},
	{"internal/tier", nil, nil},
	{"internal/wire", nil, []string{"github.com/go-json-experiment/json", "github.com/go-json-experiment/json/jsontext"}},
	{"internal/refserver", []string{"internal/refserver", "internal/refserver/…"}, []string{"github.com/google/uuid", "github.com/oklog/ulid/v2", "github.com/shopspring/decimal"}},
	{"internal/refserver/api", []string{"internal/refserver/world"}, nil},
	{"internal/refserver/body", []string{"internal/refserver/api", "internal/refserver/world"}, []string{"github.com/shopspring/decimal"}},
	// A command may see both sides, which still share nothing.
	{"internal/cmd/refserver", []string{"internal/refserver", "internal/refserver/…", "client", "client/contract", "internal/recording", "payments/paymentstest", "webhook"}, []string{"github.com/google/uuid"}},
	{"internal/contract", []string{"internal/services", "internal/refserver/…", "discounts", "discounts/rules", "disputes", "payments", "shipping"}, nil},
	{"examples", []string{"client", "client/…", "discounts", "discounts/rules", "disputes", "oauth", "payments", "shipping", "webhook", "webhook/inboxops", "webhook/webhooktest"}, []string{"golang.org/x/oauth2", "github.com/google/uuid", "github.com/oklog/ulid/v2", "github.com/shopspring/decimal"}},
}

// inTests may be imported by test files beside what their package may.
var inTests = []string{
	"go.uber.org/goleak", "github.com/jarcoal/httpmock", "golang.org/x/oauth2", "pgregory.net/rapid",
	module + "/client", module + "/client/carriers", module + "/client/promotions", module + "/client/providers", module + "/client/clienttest", module + "/client/clienttest/pages", module + "/client/v1", module + "/client/v202503", module + "/client/unstable", module + "/discounts/rules",
	module + "/internal/bench", module + "/internal/engine", module + "/internal/hooktest", module + "/internal/hostile",
	module + "/internal/proctest", module + "/internal/scenariotest", module + "/internal/services", module + "/internal/tier", module + "/internal/wire",
	module + "/oauth", module + "/webhook", module + "/webhook/inboxmem", module + "/webhook/inboxtest", module + "/webhook/webhooktest",
}

// inServerTests are packages of this module that know neither side. Test files of the reference server may import them.
var inServerTests = []string{module + "/internal/proctest", module + "/internal/tier"}

// inTestsOf may be imported by test files of these packages alone.
var inTestsOf = map[string][]string{
	"client":                  {module + "/internal/condition", module + "/internal/deviate"},
	"client/appdb":            {module + "/client/sqlcopy", module + "/oauth/sqlstore"},
	"client/sqljournal":       {"github.com/google/uuid"},
	"payments":                {module + "/payments/paymentstest"},
	"discounts/rules":         {module + "/payments", "github.com/google/uuid"},
	"discounts/discountstest": {"github.com/google/uuid"},
	"internal/callback": {
		module + "/discounts", module + "/payments", module + "/payments/paymentstest", module + "/shipping", "github.com/google/uuid",
	},
	"internal/rounds": {
		module + "/client", module + "/discounts", module + "/payments", module + "/webhook", module + "/webhook/inboxmem",
	},
	"internal/deviate": {
		module + "/discounts", module + "/discounts/rules", module + "/disputes", module + "/payments", module + "/shipping", "github.com/google/uuid", "github.com/oklog/ulid/v2",
	},
}

func ruleFor(dir string) *rule {
	var best *rule
	for i, r := range rules {
		if (dir == r.prefix || strings.HasPrefix(dir, r.prefix+"/")) && (best == nil || len(r.prefix) > len(best.prefix)) {
			best = &rules[i]
		}
	}
	return best
}

func (r *rule) allows(dir, path string) bool {
	if path == module+"/"+dir {
		return true // an external test of the package itself
	}
	if ours, ok := strings.CutPrefix(path, module+"/"); ok {
		return slices.ContainsFunc(r.ours, func(allowed string) bool {
			tree, all := strings.CutSuffix(allowed, "…")
			return ours == allowed || all && strings.HasPrefix(ours, tree)
		})
	}
	return slices.Contains(r.others, path)
}

func TestImports(t *testing.T) {
	for _, s := range sources(t) {
		r := ruleFor(s.dir)
		if r == nil {
			t.Errorf("%s/%s: no rule says what the package may import", s.dir, s.name)
			continue
		}
		for _, spec := range s.file.Imports {
			path, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			standard := !strings.Contains(strings.Split(path, "/")[0], ".")
			serverTest := s.test() && strings.HasPrefix(s.dir, "internal/refserver")
			switch {
			case standard, r.allows(s.dir, path):
			case s.test() && slices.Contains(inTestsOf[s.dir], path):
			case serverTest && slices.Contains(inServerTests, path):
			case s.test() && slices.Contains(inTests, path) && !(serverTest && strings.HasPrefix(path, module)):
			default:
				t.Errorf("%s/%s imports %s, which %s may not", s.dir, s.name, path, r.prefix)
			}
		}
	}
}

// mostPackages is the number of packages of the root module. More need a reason: a package is part of the product or of
// the platform, and what only proves belongs to internal/proof. What a handler needs of the client is in packages of
// its own, so that it compiles no client.
const mostPackages = 88

func TestPackagesAreFew(t *testing.T) {
	dirs := map[string]bool{}
	for _, s := range sources(t) {
		dirs[s.dir] = true
	}
	if len(dirs) > mostPackages || len(dirs) < 50 {
		t.Errorf("the root module has %d packages, want 50 to %d", len(dirs), mostPackages)
	}
}
