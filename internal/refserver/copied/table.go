package copied

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// callTable is calls.tsv. Its lines are
//
//	method   operation   versions   Products.Update   answer   1=client.ID   body=client.ProductInput
//	type     client.ProductInput   name=Name:client.Text   …
//	kind     client.Visibility   string
//	package  client   path
//
// An argument is a segment of the path, the body, a member of it, the query, or a parameter of it. A member that is
// always sent ends with "!". One without a name is an embedded struct.
//
//go:embed calls.tsv
var callTable string

type goMethod struct {
	versions     []string
	name, answer string // answer is one, list or none
	args         [][2]string
}

// goMember is a member of a struct.
type goMember struct {
	name, field, typ string
	always           bool
}

type goCalls struct {
	methods  map[string][]goMethod // by operation
	types    map[string][]goMember
	kinds    map[string]string
	packages map[string]string
}

// typedCalls reads calls.tsv once.
var typedCalls = sync.OnceValue(func() *goCalls {
	c := &goCalls{map[string][]goMethod{}, map[string][]goMember{}, map[string]string{}, map[string]string{}}
	for line := range strings.Lines(callTable) {
		f := strings.Split(strings.TrimSpace(line), "\t")
		switch f[0] {
		case "method":
			m := goMethod{versions: strings.Split(f[2], ","), name: f[3], answer: f[4]}
			for _, text := range f[5:] {
				from, typ, _ := strings.Cut(text, "=")
				m.args = append(m.args, [2]string{from, typ})
			}
			c.methods[f[1]] = append(c.methods[f[1]], m)
		case "type":
			c.types[f[1]] = []goMember{}
			for _, text := range f[2:] {
				name, rest, _ := strings.Cut(text, "=")
				field, typ, _ := strings.Cut(rest, ":")
				plain, always := strings.CutSuffix(name, "!")
				c.types[f[1]] = append(c.types[f[1]], goMember{plain, field, typ, always})
			}
		case "kind":
			c.kinds[f[1]] = f[2]
		case "package":
			c.packages[f[1]] = f[2]
		}
	}
	return c
})

// method is the method that calls an operation in a version.
func (c *goCalls) method(operation, version string) (goMethod, bool) {
	all := c.methods[operation]
	i := slices.IndexFunc(all, func(m goMethod) bool { return slices.Contains(m.versions, version) })
	if i < 0 {
		return goMethod{}, false
	}
	return all[i], true
}
