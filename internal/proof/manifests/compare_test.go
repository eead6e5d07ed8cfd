package manifests

import (
	"fmt"
	"math"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/commerceplatform/commerce-go/payments"
	"github.com/commerceplatform/commerce-go/webhook"
)

// server has the limits of the server of the program.
var server = webhook.Server("", nil)

// findings are what does not fit, in words.
type findings []string

// add adds a finding.
func (f *findings) add(format string, args ...any) { *f = append(*f, fmt.Sprintf(format, args...)) }

// join adds those of another comparison.
func (f *findings) join(more ...string) { *f = append(*f, more...) }

// check adds a finding unless something holds.
func (f *findings) check(holds bool, format string, args ...any) {
	if !holds {
		f.add(format, args...)
	}
}

// container is what a manifest says of a process of the program, whatever its format.
type container struct {
	name   string
	image  string
	args   []string
	env    map[string]string
	grace  time.Duration // between SIGTERM and SIGKILL
	memory int64         // the limit, in bytes
	probes []string      // paths that must be answered 200
	paths  []string      // paths that the program must have
}

// flag returns the value of a flag, "" if it is not given.
func (c *container) flag(name string) string {
	for _, arg := range c.args {
		if value, ok := strings.CutPrefix(arg, "-"+name+"="); ok {
			return value
		}
	}
	return ""
}

// wait is how long the program accepts after SIGTERM.
func (c *container) wait() time.Duration {
	d, err := time.ParseDuration(c.flag("wait"))
	if err != nil {
		return webhook.DefaultWait
	}
	return max(0, d)
}

// connections is the number of connections to the database that the URL allows, as the engine counts them: one that
// names none is for too few.
func (c *container) connections() int {
	u, err := url.Parse(c.flag("database"))
	if err != nil {
		return 0
	}
	n, _ := strconv.Atoi(u.Query().Get("pool_max_conns"))
	return n
}

var reference = regexp.MustCompile(`\$\((\w+)\)`)

// expand replaces $(NAME) as Kubernetes does, which leaves names that it does not know.
func (c *container) expand(arg string) string {
	return reference.ReplaceAllStringFunc(arg, func(name string) string {
		if value, ok := c.env[strings.Trim(name, "$()")]; ok {
			return value
		}
		return name
	})
}

// others are names that the packages of others read: pgx, as TestPassword sees, and the runtime of Go.
var others = []string{"PGPASSWORD", "GOMEMLIMIT"}

// compare returns what the program does not have, and what it lacks.
func (p *flagship) compare(c *container) (f findings) {
	f.check(regexp.MustCompile(`^registry\.example/flagship:\d+\.\d+\.\d+$`).MatchString(c.image),
		"%s: image %q: want one version", c.name, c.image)
	given := map[string]bool{}
	for _, arg := range c.args {
		name, _, ok := strings.Cut(strings.TrimPrefix(arg, "-"), "=")
		_, known := p.flags[name]
		f.check(ok && known && strings.HasPrefix(arg, "-"), "%s: the program has no flag %q", c.name, arg)
		f.check(!given[name], "%s: -%s is given twice", c.name, name)
		f.check(!reference.MatchString(arg), "%s: %s names a variable that is not there", c.name, arg)
		given[name] = true
	}
	for name, value := range c.env {
		used := slices.ContainsFunc(c.args, func(arg string) bool { return value != "" && strings.HasSuffix(arg, "="+value) })
		f.check(slices.Contains(p.reads, name) || slices.Contains(others, name) || used,
			"%s: the program does not read %s", c.name, name)
	}
	for _, name := range p.needs {
		f.check(c.env[name] != "", "%s: %s is missing, without which the program does not start", c.name, name)
	}
	host, port, err := net.SplitHostPort(c.flag("listen"))
	f.check(err == nil && host == "" && port != "0",
		"%s: -listen=%s is not reached from outside", c.name, c.flag("listen"))
	ops, err := netip.ParseAddrPort(c.flag("ops"))
	f.check(err == nil && ops.Addr().IsLoopback(), "%s: -ops=%s is not for the container alone", c.name, c.flag("ops"))
	if u, err := url.Parse(c.flag("database")); err == nil {
		_, has := u.User.Password()
		f.check(!has, "%s: a password is among the arguments", c.name)
	}
	f.check(strings.HasPrefix(c.flag("public-url"), "https://"),
		"%s: -public-url is missing: browsers and webhooks need an address", c.name)
	// The worker of the program has the usual Grace, and Ready.Serve adds a second. An app that adds handlers of
	// payments, which have the longest time to answer, has copied these figures.
	answering := max(webhook.AnswerTime, server.WriteTimeout, payments.AnswerTime)
	needs := c.wait() + answering + webhook.DefaultGrace + time.Second
	f.check(c.grace >= needs, "%s: killed %v after SIGTERM, but draining takes up to %v", c.name, c.grace, needs)
	soft := limit(c.env["GOMEMLIMIT"])
	f.check(soft > 0 && soft <= c.memory*9/10,
		"%s: GOMEMLIMIT %d is not below nine tenths of the limit of memory, %d", c.name, soft, c.memory)
	handlers := webhook.DefaultConcurrency + 5
	f.check(c.connections() >= handlers, "%s: pool_max_conns is %d, want %d or more", c.name, c.connections(), handlers)
	return f
}

// limit reads GOMEMLIMIT in the form that the manifests use.
func limit(text string) int64 {
	n, err := strconv.ParseInt(strings.TrimSuffix(text, "MiB"), 10, 64)
	if err != nil || !strings.HasSuffix(text, "MiB") || n > math.MaxInt64>>20 {
		return 0
	}
	return n << 20
}
