package contract

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// verifiers are all functions that compare what a stranger sent with a secret, or with what was made of one, and what
// they compare with: the time that it takes tells nobody how much of a guess was right.
var verifiers = map[string]string{
	"webhook verifier.verify":                   "crypto/hmac.Equal",
	"discounts signed":                          "crypto/hmac.Equal",
	"shipping named":                            "crypto/subtle.ConstantTimeCompare",
	"payments Callback.verify":                  "crypto/rsa.VerifyPKCS1v15",
	"payments RefreshRequest.Proves":            "crypto/hmac.Equal",
	"payments ReviewHandler.proved":             "crypto/hmac.Equal",
	"oauth nonce.isOf":                          "crypto/hmac.Equal",
	"oauth Handler.proven":                      "crypto/hmac.Equal",
	"oauth Sessions.signed":                     "crypto/hmac.Equal",
	"internal/proctest App.hook":                "crypto/hmac.Equal",
	"internal/refserver Server.authenticateApp": "crypto/subtle.ConstantTimeCompare",
	"internal/refserver/oauth Server.client":    "crypto/subtle.ConstantTimeCompare",
}

// believing are the packages that strangers send to; "…/" for a whole tree.
var believing = []string{"webhook", "discounts", "shipping", "payments", "client/providers", "oauth", "internal/refserver", "internal/refserver/…"}

// own are functions that look for a secret in what this side wrote. No stranger learns how long that took.
var own = map[string]bool{"client/providers Authentication.mentionedIn": true}

// hasty are functions that stop at the first difference.
var hasty = map[string][]string{
	"bytes":   {"Compare", "Contains", "Equal", "EqualFold", "HasPrefix", "HasSuffix", "Index"},
	"cmp":     {"Compare"},
	"maps":    {"Equal"},
	"reflect": {"DeepEqual"},
	"slices":  {"Compare", "Contains", "Equal", "Index"},
	"strings": {"Compare", "Contains", "EqualFold", "HasPrefix", "HasSuffix", "Index"},
}

// secretive is how what must not be compared in haste is called.
var secretive = regexp.MustCompile(`(?i)(apikey|credential|digest|digits|hmac|mac|nonce|password|secret|signature|sum|sum256|token)s?$`)

// code is a file as it is looked at for comparisons.
type code struct {
	dir       string
	file      *ast.File
	imports   map[string]string // name here to path
	constants map[string]bool   // of the package
}

func codeOf(dir string, file *ast.File, constants map[string]bool) code {
	c := code{dir, file, map[string]string{}, constants}
	for _, spec := range file.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(p)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		c.imports[name] = p
	}
	return c
}

// constantsOf adds the constants that a file declares for its package.
func constantsOf(file *ast.File, to map[string]bool) {
	for _, decl := range file.Decls {
		if d, ok := decl.(*ast.GenDecl); ok && d.Tok == token.CONST {
			for _, spec := range d.Specs {
				for _, name := range spec.(*ast.ValueSpec).Names {
					to[name.Name] = true
				}
			}
		}
	}
}

// name returns the name that tells what an expression is.
func name(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	case *ast.IndexExpr: // an element, or a function of one type
		return name(e.X)
	}
	return ""
}

// called returns the path of the package and the name of an imported function.
func (c code) called(call *ast.CallExpr) (pkg, function string) {
	fun := call.Fun
	if of, ok := fun.(*ast.IndexExpr); ok {
		fun = of.X
	}
	if s, ok := fun.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return c.imports[x.Name], s.Sel.Name
		}
	}
	return "", ""
}

// fixed reports whether an expression is known to everybody: a constant, a length, or what is made of such.
func (c code) fixed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.BasicLit:
		return true
	case *ast.Ident:
		return e.Name == "nil" || e.Name == "true" || e.Name == "false" || c.constants[e.Name]
	case *ast.SelectorExpr: // of a package
		x, ok := e.X.(*ast.Ident)
		return ok && c.imports[x.Name] != ""
	case *ast.ParenExpr:
		return c.fixed(e.X)
	case *ast.UnaryExpr:
		return c.fixed(e.X)
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(e ast.Expr) bool { return !c.fixed(e) })
	case *ast.CallExpr:
		_, conversion := e.Fun.(*ast.ArrayType)
		plain := conversion || name(e.Fun) == "string" || c.fixed(e.Fun)
		return name(e.Fun) == "len" || plain && len(e.Args) > 0 && !slices.ContainsFunc(e.Args, func(e ast.Expr) bool { return !c.fixed(e) })
	}
	return false
}

// secret reports whether something that is called as secrets are is in an expression, but for the lengths of them.
func (c code) secret(e ast.Expr) bool {
	found := false
	ast.Inspect(e, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if ok && name(call.Fun) == "len" {
			return false
		}
		if e, ok := n.(ast.Expr); ok && !c.fixed(e) && secretive.MatchString(name(e)) {
			found = true
		}
		return !found
	})
	return found
}

// function returns "directory Receiver.name".
func (c code) function(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return c.dir + " " + f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	return c.dir + " " + name(of) + "." + f.Name.Name
}

// patient returns what compares in constant time, by the function that it is called in.
func (c code) patient() map[string][]string {
	all := map[string][]string{}
	for _, decl := range c.file.Decls {
		within := c.dir + " a variable"
		if f, ok := decl.(*ast.FuncDecl); ok {
			within = c.function(f)
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				pkg, function := c.called(call)
				if pkg == "crypto/hmac" && function == "Equal" || pkg == "crypto/subtle" || pkg == "crypto/rsa" && strings.HasPrefix(function, "Verify") {
					all[within] = append(all[within], pkg+"."+function)
				}
			}
			return true
		})
	}
	return all
}

// careful reports whether a function verifies, or makes a MAC or a digest: it has no business comparing anything else.
func (c code) careful(f *ast.FuncDecl) bool {
	found := verifiers[c.function(f)] != ""
	ast.Inspect(f, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			pkg, function := c.called(call)
			found = found || pkg == "crypto/hmac" || strings.HasPrefix(function, "Sum") && (pkg == "" || strings.HasPrefix(pkg, "crypto/"))
		}
		return !found
	})
	return found
}

// haste returns where something is compared that may be a secret: two things that are not known to everybody, of which
// one is called like a secret or that are in a function which handles them.
func (c code) haste() (at []ast.Node) {
	for _, decl := range c.file.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if ok && own[c.function(f)] {
			continue
		}
		careful := ok && c.careful(f)
		compare := func(n ast.Node, x, y ast.Expr) {
			if !c.fixed(x) && !c.fixed(y) && (careful || c.secret(x) || c.secret(y)) {
				at = append(at, n)
			}
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.EQL || n.Op == token.NEQ {
					compare(n, n.X, n.Y)
				}
			case *ast.CallExpr:
				if pkg, function := c.called(n); len(n.Args) > 1 && slices.Contains(hasty[pkg], function) {
					compare(n, n.Args[0], n.Args[1])
				}
			case *ast.SwitchStmt:
				for _, clause := range n.Body.List {
					for _, e := range clause.(*ast.CaseClause).List {
						if n.Tag != nil {
							compare(e, n.Tag, e)
						}
					}
				}
			}
			return true
		})
	}
	return at
}

// TestVerifiers: who decides whether to believe compares in constant time, and a new one is added to the list.
func TestVerifiers(t *testing.T) {
	found := map[string][]string{}
	for _, s := range allSources(t) {
		if !s.test() {
			maps.Copy(found, codeOf(s.dir, s.file, nil).patient())
		}
	}
	for function, with := range verifiers {
		if got := found[function]; !slices.Equal(got, []string{with}) {
			t.Errorf("%s compares with %q, want %s, once", function, got, with)
		}
	}
	for function, with := range found {
		if verifiers[function] == "" {
			t.Errorf("%s calls %q and is not among the verifiers", function, with)
		}
	}
}

// unguarded are verifiers that may stop at the first match: they compare with what is public, or what the request
// brings.
var unguarded = map[string]bool{"payments Callback.verify": true, "oauth Handler.proven": true}

// stops returns why a function that compares with each of several secrets may compare with fewer; "" if it may not.
func stops(f *ast.FuncDecl, compares func(*ast.CallExpr) bool) (why string) {
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.RangeStmt:
			ast.Inspect(n.Body, func(n ast.Node) bool {
				switch n.(type) {
				case *ast.ReturnStmt, *ast.BranchStmt:
					why = "it leaves the loop"
				case *ast.IfStmt, *ast.SwitchStmt:
					why = "it compares under a condition"
				}
				return true
			})
		case *ast.BinaryExpr:
			if n.Op == token.LAND || n.Op == token.LOR {
				ast.Inspect(n.Y, func(n ast.Node) bool {
					if call, ok := n.(*ast.CallExpr); ok && compares(call) {
						why = "it compares behind && or ||"
					}
					return true
				})
			}
		}
		return true
	})
	return why
}

// TestVerifiersTryAll: who compares with each of several secrets compares with all of them, whichever matches, so that
// the time that it takes does not tell which one.
func TestVerifiersTryAll(t *testing.T) {
	tried := 0
	for _, s := range allSources(t) {
		if s.test() {
			continue
		}
		c := codeOf(s.dir, s.file, nil)
		for _, decl := range s.file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || verifiers[c.function(f)] == "" || unguarded[c.function(f)] {
				continue
			}
			loops := false
			ast.Inspect(f, func(n ast.Node) bool {
				_, loop := n.(*ast.RangeStmt)
				loops = loops || loop
				return true
			})
			if !loops {
				continue
			}
			tried++
			why := stops(f, func(call *ast.CallExpr) bool {
				pkg, name := c.called(call)
				return pkg+"."+name == verifiers[c.function(f)]
			})
			if why != "" {
				t.Errorf("%s: %s", c.function(f), why)
			}
		}
	}
	if tried != 4 {
		t.Errorf("%d functions compare with several secrets, want those of webhook, discounts, shipping and reviews", tried)
	}
}

// TestNoHaste: nothing that looks like a secret is compared in a way that stops at the first difference.
func TestNoHaste(t *testing.T) {
	constants, looked := map[string]map[string]bool{}, map[string]int{}
	for _, s := range allSources(t) {
		if constants[s.dir] == nil {
			constants[s.dir] = map[string]bool{}
		}
		if !s.test() {
			constantsOf(s.file, constants[s.dir])
		}
	}
	for _, s := range allSources(t) {
		at := slices.IndexFunc(believing, func(dir string) bool {
			tree, all := strings.CutSuffix(dir, "…")
			return s.dir == dir || all && strings.HasPrefix(s.dir, tree)
		})
		// The doctor looks for its own secrets in the answers of an app, and believes nobody.
		if s.test() || at < 0 || s.dir == "internal/refserver/doctor" {
			continue
		}
		looked[believing[at]]++
		for _, n := range codeOf(s.dir, s.file, constants[s.dir]).haste() {
			t.Errorf("%s/%s:%d: compare secrets and what is made of them with hmac.Equal", s.dir, s.name, s.fset.Position(n.Pos()).Line)
		}
	}
	for _, dir := range believing {
		if looked[dir] == 0 {
			t.Errorf("%s: there are no files", dir)
		}
	}
}

// TestHaste: what the two tests above look for is found, and what may be compared is left alone.
func TestHaste(t *testing.T) {
	const head = `package p
import ("bytes"; "crypto/sha256"; h "crypto/hmac"; "net/http"; same "slices"; "strings"; "reflect")
const bearerToken = "token"
`
	for _, tt := range []struct {
		source string
		want   int
	}{
		{`func f(k keyed, want []byte) bool { return bytes.Equal(k.mac.Sum(nil), want) }`, 1},
		{`func f(a []string, b string) bool { return same.Contains(a, b) && len(h.New(nil, nil).Sum(nil)) > 0 }`, 1},
		{`func f(a, b []byte) bool { m := h.New(nil, nil); m.Write(a); return string(m.Sum(nil)) == string(b) }`, 1},
		{`func f(a, b []byte) bool { return sha256.Sum256(a) == sha256.Sum256(b) }`, 1},
		{`func f(tokens []string, given string) bool { return same.Contains(tokens, given) }`, 1},
		{`func f(r R, s S) bool { return strings.EqualFold(r.Header, string(s.Secret)) || reflect.DeepEqual(s.token, r) }`, 2},
		{`func f(given, b string) bool { if given != secret { return false }; switch b { case "": case signature: return true }; return false }`, 2},
		{`var f = func(given, password string) bool { return given == password }`, 1},
		{`func f(given, secret string) bool { return secret == "" || secret != bearerToken || len(given) == len(secret) }`, 0},
		{`func f(a, b []byte) bool { return h.Equal(a, b) && bytes.Equal(a, []byte("null")) && h.Equal(a, b) == true }`, 0},
		{`func f(r R) bool { return r.Method == http.MethodPost || bytes.Equal(r.old, r.new) }`, 0},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", head+tt.source, 0)
		if err != nil {
			t.Fatal(err)
		}
		constants := map[string]bool{}
		constantsOf(file, constants)
		if got := codeOf("p", file, constants).haste(); len(got) != tt.want {
			t.Errorf("%s: found %d, want %d", tt.source, len(got), tt.want)
		}
	}
}
