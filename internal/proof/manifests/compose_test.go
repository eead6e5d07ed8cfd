package manifests

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// decodeCompose reads a file as docker compose does, which knows its variables. Fields that Compose does not have are
// errors, and so are keys that are there twice.
func decodeCompose(ctx context.Context, text string, env map[string]string) (*types.Project, error) {
	return loader.LoadWithContext(ctx, types.ConfigDetails{
		WorkingDir:  source + "/deploy",
		ConfigFiles: []types.ConfigFile{{Filename: compose, Content: []byte(text)}},
		Environment: env,
	})
}

// compareCompose returns what does not fit in compose.yaml, and the containers of the program.
func (p *flagship) compareCompose(ctx context.Context, all manifests) (f findings, runs []container) {
	project, err := decodeCompose(ctx, all[compose], secrets)
	if err != nil {
		return findings{err.Error()}, nil
	}
	variables := slices.Sorted(slices.Values(submatches(`\$\{(\w+)`, all[compose])))
	for _, name := range slices.Compact(variables) {
		env := maps.Clone(secrets)
		delete(env, name)
		_, err := decodeCompose(ctx, all[compose], env)
		f.check(err != nil, "compose starts without %s", name)
	}
	var most int
	for _, name := range slices.Sorted(maps.Keys(project.Services)) {
		s := project.Services[name]
		if s.Build == nil {
			continue
		}
		c := container{
			name: "compose: " + name, image: s.Image, args: s.Command, env: map[string]string{}, memory: int64(s.MemLimit),
		}
		for variable, value := range s.Environment {
			c.env[variable] = *value
		}
		if s.StopGracePeriod != nil {
			c.grace = time.Duration(*s.StopGracePeriod)
		}
		f.check(len(s.CapAdd) == 0, "%s: has capabilities", c.name)
		f.check(s.User == "", "%s: user %q instead of that of the image", c.name, s.User)
		f.check(s.HealthCheck == nil, "%s: the image has no program for a health check", c.name)
		f.check(len(s.Ports) == 0, "%s: is reached without the proxy", c.name)
		f.check(s.DependsOn["db"].Condition == types.ServiceConditionHealthy, "%s: starts before the database", c.name)
		f.join(compareDockerfile(all[dockerfile], s.Build, &c)...)
		most += c.connections()
		runs = append(runs, c)
	}
	f.check(len(runs) == 2, "compose: %d replicas, want 2", len(runs))
	f.check(most+reserved < maxConnections,
		"compose: all replicas take %d connections, PostgreSQL has %d", most, maxConnections)
	for _, name := range slices.Sorted(maps.Keys(project.Services)) {
		f.join(compareBounds("compose: "+name, project.Services[name])...)
	}
	f.join(compareDatabase(project)...)
	f.join(compareProxy(project, runs)...)
	for i := range runs {
		f.join(p.compare(&runs[i])...)
		runs[i].probes = caddy(project, `health_uri (\S+)`)
		runs[i].paths = caddy(project, `path (/carts\S*)`)
	}
	return f, runs
}

// compareBounds returns what a service may do that none should.
func compareBounds(name string, s types.ServiceConfig) (f findings) {
	f.check(s.ReadOnly, "%s: may write its image", name)
	f.check(slices.Equal(s.CapDrop, []string{"ALL"}), "%s: has capabilities", name)
	f.check(slices.Contains(s.SecurityOpt, "no-new-privileges:true"), "%s: may gain privileges", name)
	f.check(s.PidsLimit > 0, "%s: may start any number of processes", name)
	f.check(s.MemLimit > 0, "%s: may take all memory", name)
	f.check(s.Logging != nil && s.Logging.Options["max-size"] != "" && s.Logging.Options["max-file"] != "",
		"%s: its log fills the disk", name)
	f.check(s.Restart == types.RestartPolicyUnlessStopped, "%s: is not started again", name)
	return f
}

// Of PostgreSQL, unless somebody changes them: those that superusers alone get, too.
const maxConnections, reserved = 100, 3

// compareDatabase returns what is wrong with the database of compose.yaml.
func compareDatabase(project *types.Project) (f findings) {
	db := project.Services["db"]
	for _, setting := range []string{"fsync=on", "full_page_writes=on", "synchronous_commit=on"} {
		f.check(slices.Contains(db.Command, setting), "compose: db is not started with %s", setting)
	}
	tag, _, _ := strings.Cut(db.Image, "@")
	major, _ := strconv.Atoi(strings.TrimPrefix(tag, "postgres:"))
	kept := "/var/lib/postgresql/data"
	if major >= 18 {
		kept = "/var/lib/postgresql" // where the image keeps its files since 18
	}
	f.check(major > 0, "compose: image %q: want one major version of postgres", db.Image)
	f.check(slices.ContainsFunc(db.Volumes, func(v types.ServiceVolumeConfig) bool {
		return v.Type == "volume" &&
			v.Target == kept
	}),
		"compose: the files of the database, in %s, are not in a volume", kept)
	f.check(db.HealthCheck != nil && slices.Contains(db.HealthCheck.Test, "127.0.0.1"),
		"compose: db has no health check by TCP")
	f.check(len(db.Ports) == 0, "compose: the database is reached from elsewhere")
	return f
}

// compareProxy returns what is wrong with the proxy of compose.yaml.
func compareProxy(project *types.Project, runs []container) (f findings) {
	var upstreams []string
	for _, c := range runs {
		name := strings.TrimPrefix(c.name, "compose: ")
		_, port, _ := strings.Cut(c.flag("listen"), ":")
		upstreams = append(upstreams, name+":"+port)
		interval, _ := time.ParseDuration(first(caddy(project, `health_interval (\S+)`)))
		fails, _ := strconv.Atoi(first(caddy(project, `health_fails (\d+)`)))
		f.check(interval > 0 && fails > 0 && interval*time.Duration(fails) < c.wait(),
			"%s: the proxy notices after %d × %v, and the program waits %v", c.name, fails, interval, c.wait())
		f.check("https://"+first(caddy(project, `^(\S+) \{`)) == c.flag("public-url"),
			"%s: the proxy serves another host", c.name)
		address := ""
		if front := project.Services["proxy"].Networks["front"]; front != nil {
			address = front.Ipv4Address
		}
		f.check(address != "" && c.flag("carts-from") == address, "%s: -carts-from is not the proxy, %q", c.name, address)
	}
	f.check(first(caddy(project, `reverse_proxy (.*) \{`)) == strings.Join(upstreams, " "),
		"compose: the proxy does not serve %q", upstreams)
	f.check(len(caddy(project, `not remote_ip (\S+)`)) == 1, "compose: the proxy lets everybody send carts")
	idle, _ := time.ParseDuration(first(caddy(project, `keepalive (\S+)`)))
	f.check(idle > 0 && idle < server.IdleTimeout,
		"compose: the proxy keeps connections for %v, the program for %v", idle, server.IdleTimeout)
	return f
}

// caddy returns what an expression finds in the configuration of the proxy.
func caddy(project *types.Project, expression string) []string {
	return submatches("(?m)"+expression, project.Configs["caddyfile"].Content)
}
