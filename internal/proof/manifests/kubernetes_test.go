package manifests

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	policy "k8s.io/api/policy/v1"
	meta "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

// objects are those of kubernetes.yaml.
type objects struct {
	deployment apps.Deployment
	service    core.Service
	budget     policy.PodDisruptionBudget
	network    networking.NetworkPolicy
}

// decodeKubernetes reads the objects as the server does with fieldValidation=Strict.
func decodeKubernetes(text string) (o objects, err error) {
	kinds := map[string]any{
		"apps/v1 Deployment": &o.deployment, "v1 Service": &o.service, "policy/v1 PodDisruptionBudget": &o.budget,
		"networking.k8s.io/v1 NetworkPolicy": &o.network,
	}
	for document := range strings.SplitSeq(text, "\n---\n") {
		var kind meta.TypeMeta
		if err := yaml.Unmarshal([]byte(document), &kind); err != nil {
			return o, err
		}
		name := kind.APIVersion + " " + kind.Kind
		object := kinds[name]
		if object == nil {
			return o, fmt.Errorf("%s: want one each of %q", name, slices.Sorted(maps.Keys(kinds)))
		}
		// yaml.UnmarshalStrict would take a member whose case is wrong.
		inJSON, err := yaml.YAMLToJSONStrict([]byte(document))
		if err != nil {
			return o, fmt.Errorf("%s: %w", name, err)
		}
		strict, err := json.UnmarshalStrict(inJSON, object)
		if err := errors.Join(append(strict, err)...); err != nil {
			return o, fmt.Errorf("%s: %w", name, err)
		}
		delete(kinds, name)
	}
	if len(kinds) > 0 {
		return o, fmt.Errorf("there is no %q", slices.Sorted(maps.Keys(kinds)))
	}
	return o, nil
}

// compareKubernetes returns what does not fit in kubernetes.yaml, and the container of the program.
func (p *flagship) compareKubernetes(all manifests) (f findings, runs []container) {
	o, err := decodeKubernetes(all[kubernetes])
	if err != nil {
		return findings{err.Error()}, nil
	}
	pod := o.deployment.Spec.Template.Spec
	if len(pod.Containers) != 1 {
		return findings{"kubernetes: want one container"}, nil
	}
	from := pod.Containers[0]
	c := container{
		name: "kubernetes", image: from.Image, env: map[string]string{}, memory: from.Resources.Limits.Memory().Value(),
	}
	f.join(c.takeEnvironment(from.Env, all[kubernetes])...)
	for _, arg := range from.Args {
		c.args = append(c.args, c.expand(arg))
	}
	if pod.TerminationGracePeriodSeconds != nil {
		c.grace = time.Duration(*pod.TerminationGracePeriodSeconds) * time.Second
	}
	f.join(comparePod(&pod, all[dockerfile])...)
	f.join(o.compareLabels()...)
	f.join(o.comparePorts(c)...)
	f.join(o.compareNetwork(c)...)
	f.join(c.takeProbes(&from)...)
	r := o.deployment.Spec.Strategy.RollingUpdate
	f.check(r != nil && r.MaxUnavailable != nil && r.MaxUnavailable.IntValue() == 0 && r.MaxUnavailable.StrVal == "",
		"kubernetes: maxUnavailable is not 0, so a restart leaves one replica less")
	replicas := int(max(1, deref(o.deployment.Spec.Replicas)))
	f.check(replicas >= 2, "kubernetes: %d replicas, want 2", replicas)
	f.check((replicas+1)*c.connections()+reserved < maxConnections,
		"kubernetes: all replicas take more connections than PostgreSQL has")
	f.check(strings.Contains(c.flag("database"), "target_session_attrs=read-write"),
		"kubernetes: the URL of the database may lead to a standby")
	f.join(p.compare(&c)...)
	return f, []container{c}
}

// takeEnvironment adds the environment. What comes from the secret must be what the command in the comment makes.
func (c *container) takeEnvironment(env []core.EnvVar, text string) (f findings) {
	secret := regexp.MustCompile(`create secret generic (\S+)`).FindStringSubmatch(text)
	made := map[string]string{}
	for _, m := range regexp.MustCompile(`--from-literal=(\w+)=(\S*)`).FindAllStringSubmatch(text, -1) {
		made[m[1]] = strings.Trim(m[2], `'"`)
	}
	for _, e := range env {
		if e.ValueFrom == nil {
			f.check(!slices.Contains(slices.Collect(maps.Keys(secrets)), e.Name),
				"kubernetes: the secret %s is in the manifest", e.Name)
			c.env[e.Name] = e.Value
			continue
		}
		ref := e.ValueFrom.SecretKeyRef
		if ref == nil || len(secret) != 2 || ref.Name != secret[1] {
			f.add("kubernetes: %s is not of the secret that the comment makes", e.Name)
			continue
		}
		value, ok := made[ref.Key]
		f.check(ok, "kubernetes: the comment makes no %s", ref.Key)
		if c.env[e.Name] = value; strings.HasPrefix(value, "$") {
			c.env[e.Name] = secrets[e.Name]
		}
		delete(made, ref.Key)
	}
	f.check(len(made) == 0, "kubernetes: the comment makes %q, which nothing reads", slices.Sorted(maps.Keys(made)))
	return f
}

// takeProbes adds the paths of the probes, and compares when they fail.
func (c *container) takeProbes(from *core.Container) (f findings) {
	ports := map[string]int32{}
	for _, p := range from.Ports {
		ports[p.Name] = p.ContainerPort
	}
	for name, probe := range map[string]*core.Probe{
		"startup": from.StartupProbe, "readiness": from.ReadinessProbe, "liveness": from.LivenessProbe,
	} {
		if probe == nil || probe.HTTPGet == nil {
			f.add("kubernetes: there is no %s probe by HTTP", name)
			continue
		}
		f.check(ports[probe.HTTPGet.Port.StrVal] > 0,
			"kubernetes: the %s probe asks port %q", name, probe.HTTPGet.Port.String())
		c.probes = append(c.probes, probe.HTTPGet.Path)
	}
	if live := from.LivenessProbe; live != nil && live.HTTPGet != nil && from.ReadinessProbe != nil {
		ready := deref(from.ReadinessProbe.HTTPGet)
		f.check(live.HTTPGet.Path != ready.Path, "kubernetes: the liveness probe fails while the program drains, or its checks do")
	}
	if ready := from.ReadinessProbe; ready != nil {
		notices := time.Duration(max(1, ready.PeriodSeconds)*max(1, ready.FailureThreshold)) * time.Second
		f.check(notices < c.wait(), "kubernetes: the readiness probe fails after %v, and the program waits %v", notices, c.wait())
	}
	f.check(from.Lifecycle == nil, "kubernetes: the program waits, as preStop would")
	return f
}

// comparePod returns what a process in the pod could do that it need not.
func comparePod(pod *core.PodSpec, dockerfile string) (f findings) {
	f.check(pod.AutomountServiceAccountToken != nil && !*pod.AutomountServiceAccountToken,
		"kubernetes: the pod has the token of a service account")
	s, user := pod.SecurityContext, userOf(dockerfile)
	f.check(s != nil && deref(s.RunAsNonRoot), "kubernetes: runAsNonRoot is not set")
	f.check(s != nil && deref(s.RunAsUser) == user && user > 0, "kubernetes: runAsUser is not %d, that of the image", user)
	f.check(s != nil && s.SeccompProfile != nil && s.SeccompProfile.Type == core.SeccompProfileTypeRuntimeDefault,
		"kubernetes: there is no seccomp profile")
	c := pod.Containers[0].SecurityContext
	f.check(c != nil && deref(c.ReadOnlyRootFilesystem), "kubernetes: readOnlyRootFilesystem is not set")
	f.check(c != nil && c.AllowPrivilegeEscalation != nil && !*c.AllowPrivilegeEscalation,
		"kubernetes: allowPrivilegeEscalation is not false")
	f.check(c != nil && c.Capabilities != nil && slices.Equal(c.Capabilities.Drop, []core.Capability{"ALL"}),
		"kubernetes: capabilities are not dropped")
	wants := pod.Containers[0].Resources.Requests
	f.check(!wants.Cpu().IsZero() && !wants.Memory().IsZero(), "kubernetes: the pod requests no CPU or no memory")
	return f
}

// compareLabels returns selectors that do not find the pods.
func (o *objects) compareLabels() (f findings) {
	labels := o.deployment.Spec.Template.Labels
	finds := func(of string, selector map[string]string) {
		f.check(len(selector) > 0, "kubernetes: the selector of the %s is empty", of)
		for name, value := range selector {
			f.check(labels[name] == value, "kubernetes: the %s selects %s=%s, which the pods are not", of, name, value)
		}
	}
	finds("Deployment", matchLabels(o.deployment.Spec.Selector))
	finds("Service", o.service.Spec.Selector)
	finds("PodDisruptionBudget", matchLabels(o.budget.Spec.Selector))
	finds("NetworkPolicy", o.network.Spec.PodSelector.MatchLabels)
	for _, spread := range o.deployment.Spec.Template.Spec.TopologySpreadConstraints {
		finds("spread", matchLabels(spread.LabelSelector))
	}
	most := o.budget.Spec.MaxUnavailable
	f.check(most != nil && most.IntValue() == 1, "kubernetes: a node cannot be drained, or all replicas at once")
	return f
}

// comparePorts returns ports that are not that of -listen.
func (o *objects) comparePorts(c container) (f findings) {
	names := map[string]bool{}
	for _, p := range o.deployment.Spec.Template.Spec.Containers[0].Ports {
		names[p.Name] = true
		f.check(c.flag("listen") == fmt.Sprint(":", p.ContainerPort),
			"kubernetes: port %d, and -listen is %q", p.ContainerPort, c.flag("listen"))
	}
	for _, p := range o.service.Spec.Ports {
		f.check(names[p.TargetPort.StrVal], "kubernetes: the Service leads to port %q", p.TargetPort.String())
	}
	f.check(len(names) > 0 && len(o.service.Spec.Ports) > 0, "kubernetes: there are no ports")
	return f
}

// compareNetwork returns who reaches the pods besides the proxy, and what the program reaches that it does not need, or
// does not reach.
func (o *objects) compareNetwork(c container) (f findings) {
	spec := o.network.Spec
	f.check(len(spec.PolicyTypes) == 2, "kubernetes: the NetworkPolicy has %v, want both directions", spec.PolicyTypes)
	for _, in := range spec.Ingress {
		f.check(len(in.From) > 0, "kubernetes: the NetworkPolicy lets everybody in")
		f.check(len(in.Ports) == 1 && in.Ports[0].Port != nil && in.Ports[0].Port.StrVal == "http",
			"kubernetes: the NetworkPolicy opens another port than http")
	}
	f.check(len(spec.Ingress) > 0, "kubernetes: the NetworkPolicy lets nobody in")
	var reached []int
	for _, out := range spec.Egress {
		f.check(len(out.Ports) > 0, "kubernetes: the NetworkPolicy lets the program reach every port")
		for _, p := range out.Ports {
			reached = append(reached, p.Port.IntValue())
		}
	}
	database, err := url.Parse(c.flag("database"))
	if err != nil {
		return append(f, err.Error())
	}
	needs := []int{53, 443, 5432}
	if port, err := strconv.Atoi(database.Port()); err == nil {
		needs[2] = port
	}
	for _, port := range needs {
		f.check(slices.Contains(reached, port), "kubernetes: the NetworkPolicy keeps the program from port %d", port)
	}
	return f
}

func matchLabels(s *meta.LabelSelector) map[string]string {
	if s == nil {
		return nil
	}
	return s.MatchLabels
}

func deref[T any](p *T) (value T) {
	if p != nil {
		value = *p
	}
	return value
}
