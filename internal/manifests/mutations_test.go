package manifests

var mutations = []mutation{
	// How the files are read.
	{compose, "read_only:", "readonly:", "readonly"},
	{compose, "  restart: unless-stopped\n  depends_on", "  restart: always\n  restart: unless-stopped\n  depends_on", "already defined"},
	{compose, "COMMERCE_APP_SECRET:?", "COMMERCE_APP_SECRET:-", "compose starts without COMMERCE_APP_SECRET"},
	{compose, "${PGPASSWORD:?password of the database, see README.md}\n      POSTGRES_INIT", "${POSTGRES_PASSWORD:-x}\n      POSTGRES_INIT", "compose starts without POSTGRES_PASSWORD"},
	{kubernetes, "readOnlyRootFilesystem:", "readOnlyRootFileSystem:", "unknown field"},
	{kubernetes, "  replicas: 2", "  replicas: 2\n  replicas: 3", `"replicas" already set`},
	{kubernetes, "kind: Service\n", "kind: Services\n", "v1 Services: want"},
	{kubernetes, "apiVersion: policy/v1\n", "apiVersion: policy/v1beta1\n", "policy/v1beta1 PodDisruptionBudget: want"},
	{kubernetes, "containerPort: 8080", "containerPort: http", "cannot unmarshal"},

	// The flags.
	{compose, "-app-id=", "-application=", `app-a: the program has no flag "-application=123"`},
	{kubernetes, "-app-id=", "--app-id=", `the program has no flag "--app-id=123"`},
	{kubernetes, "-app-id=123", "-app-id 123", `the program has no flag "-app-id 123"`},
	{kubernetes, "-app-id=123", "-public-url=https://other.example", "-public-url is given twice"},
	{kubernetes, "            - -base-url=https://api.example.com\n", "", "it prints"},
	{kubernetes, "            - -auth-url=https://www.example.com/apps/authorize\n", "", "App.AuthURL"},
	{kubernetes, "            - -app-id=123\n", "", "App.ID"},
	{kubernetes, "            - -public-url=https://app.example\n", "", "kubernetes: -public-url is missing"},
	{kubernetes, "            - -carts-from=192.0.2.0/24 # as the pod sees them: README.md, \"Carts\"\n", "", "source 1 of 1"},
	{kubernetes, "            - -listen=:8080\n", "", "-listen= is not reached"},
	{compose, "-app-id=123", "-app-id=flagship", `invalid value "flagship" for flag -app-id`},

	// The environment.
	{compose, "    COMMERCE_TOKEN_KEYS:", "    COMMERCE_TOKEN_KEY:", "the program does not read COMMERCE_TOKEN_KEY"},
	{compose, "    COMMERCE_APP_SECRET: ${COMMERCE_APP_SECRET:?secret of the app, see README.md}\n", "", "COMMERCE_APP_SECRET is missing"},
	{kubernetes, "- name: COMMERCE_TOKEN_KEYS\n              valueFrom: {secretKeyRef: {name: flagship, key: COMMERCE_TOKEN_KEYS}}",
		"- name: COMMERCE_TOKEN_KEYS\n              value: none", "the secret COMMERCE_TOKEN_KEYS is in the manifest"},
	{kubernetes, "name: flagship, key: PGPASSWORD", "name: flagships, key: PGPASSWORD", "PGPASSWORD is not of the secret"},
	{kubernetes, "key: PGPASSWORD", "key: PASSWORD", "the comment makes no PASSWORD"},
	{kubernetes, "#     --from-literal=PGPASSWORD", "#     --from-literal=OTHER=x \\\n#     --from-literal=PGPASSWORD", `the comment makes ["OTHER"]`},
	{kubernetes, "$(DATABASE_URL)", "$(DATABASE)", "-database=$(DATABASE) names a variable that is not there"},
	{compose, "postgres://app@db", "postgres://app:word@db", "a password is among the arguments"},
	{compose, "GOMEMLIMIT: 400MiB", "GOMEMLIMIT: 500MiB", "GOMEMLIMIT"},
	{kubernetes, "memory: 512Mi}", "memory: 256Mi}", "kubernetes: GOMEMLIMIT"},

	// The database.
	{compose, "pool_max_conns=24", "pool_max_conns=8", "pool_max_conns is 8"},
	{compose, "pool_max_conns=24", "pool_max_conns=64", "all replicas take 128 connections"},
	{kubernetes, "pool_max_conns=24", "application_name=x", "kubernetes: pool_max_conns is 0"},
	{kubernetes, "replicas: 2", "replicas: 5", "take more connections than PostgreSQL has"},
	{kubernetes, "&target_session_attrs=read-write", "", "may lead to a standby"},
	{compose, "fsync=on", "fsync=off", "db is not started with fsync=on"},
	{compose, "postgres:17", "postgres:18", "are not in a volume"},
	{compose, "postgres:17", "postgres:latest", "want one major version"},
	{compose, "-h, 127.0.0.1, ", "", "no health check by TCP"},
	{compose, "condition: service_healthy", "condition: service_started", "starts before the database"},

	// Ports and probes.
	{compose, "-listen=:8080", "-listen=:8081", `port ["8080"], and -listen is ":8081"`},
	{compose, "-listen=:8080", "-listen=127.0.0.1:8080", "is not reached from outside"},
	{compose, "app-a:8080 app-b:8080", "app-a:8080", "the proxy does not serve"},
	{kubernetes, "containerPort: 8080", "containerPort: 8000", "port 8000, and -listen is"},
	{kubernetes, "          ports:\n            - {name: http, containerPort: 8080}\n", "", "there are no ports"},
	{kubernetes, "targetPort: http", "targetPort: 80", `leads to port "80"`},
	{kubernetes, "readinessProbe:\n            httpGet: {path: /readyz, port: http}", "readinessProbe:\n            httpGet: {path: /readyz, port: https}", `probe asks port "https"`},
	{kubernetes, "readinessProbe:\n            httpGet: {path: /readyz,", "readinessProbe:\n            httpGet: {path: /healthz,", "the probe /healthz is answered 404"},
	{compose, "health_uri /readyz", "health_uri /ready", "the probe /ready is answered 404"},
	{compose, "path /carts", "path /carts2", "/carts2 is answered 404"},
	{kubernetes, "startupProbe:", "livenessProbe:", "no startup probe"},

	// The end of a process.
	{compose, "stop_grace_period: 30s", "stop_grace_period: 20s", "killed 20s after SIGTERM"},
	{kubernetes, "terminationGracePeriodSeconds: 30", "terminationGracePeriodSeconds: 10", "killed 10s after SIGTERM"},
	{kubernetes, "timeoutSeconds: 1\n            failureThreshold: 3", "timeoutSeconds: 1\n            failureThreshold: 5", "the readiness probe fails after 5s"},
	{compose, "health_fails 2", "health_fails 5", "the proxy notices after 5 × 1s"},
	{compose, "keepalive 60s", "keepalive 2m", "the proxy keeps connections for 2m0s"},
	{kubernetes, "          ports:\n", "          lifecycle: {preStop: {sleep: {seconds: 5}}}\n          ports:\n", "the program waits, as preStop would"},

	// Who reaches what.
	{compose, "app.example {", "www.app.example {", "the proxy serves another host"},
	{compose, "ipv4_address: 172.31.251.10", "ipv4_address: 172.31.251.11", "-carts-from is not the proxy"},
	{compose, "          not remote_ip 192.0.2.0/24\n", "", "lets everybody send carts"},
	{compose, "  networks: [front, back]", "  ports: [\"8080:8080\"]\n  networks: [front, back]", "is reached without the proxy"},
	{compose, "    image: postgres:17", "    image: postgres:17\n    ports: [\"5432:5432\"]", "the database is reached from elsewhere"},

	// What a process may do.
	{compose, "cap_drop: [ALL]", "cap_drop: [NET_RAW]", "has capabilities"},
	{compose, "  read_only: true", "  user: root\n  read_only: true", `user "root"`},
	{compose, "restart: unless-stopped\n  depends_on", "restart: \"no\"\n  depends_on", "is not started again"},
	{compose, "  read_only: true", "  healthcheck: {test: [CMD, curl, localhost]}\n  read_only: true", "no program for a health check"},
	{kubernetes, "runAsNonRoot: true", "runAsNonRoot: false", "runAsNonRoot"},
	{kubernetes, "runAsUser: 65532", "runAsUser: 1000", "runAsUser is not 65532"},
	{kubernetes, "RuntimeDefault", "Unconfined", "no seccomp profile"},
	{kubernetes, "readOnlyRootFilesystem: true", "readOnlyRootFilesystem: false", "readOnlyRootFilesystem is not set"},
	{kubernetes, "allowPrivilegeEscalation: false", "privileged: false", "allowPrivilegeEscalation is not false"},
	{kubernetes, "drop: [ALL]", "drop: []", "capabilities are not dropped"},
	{kubernetes, "automountServiceAccountToken: false", "automountServiceAccountToken: true", "token of a service account"},
	{kubernetes, "requests: {cpu: 100m, memory: 128Mi}", "requests: {cpu: 100m}", "requests no CPU or no memory"},

	// Replicas.
	{kubernetes, "maxUnavailable: 0", "maxUnavailable: 25%", "maxUnavailable is not 0"},
	{kubernetes, "replicas: 2", "replicas: 1", "1 replicas, want 2"},
	{compose, "  app-b: *app\n", "", "compose: 1 replicas, want 2"},
	{kubernetes, "    matchLabels: {app.kubernetes.io/name: flagship}\n  template", "    matchLabels: {app: flagship}\n  template", "the Deployment selects"},
	{kubernetes, "  maxUnavailable: 1\n  selector:\n    matchLabels: {app.kubernetes.io/name: flagship}", "  maxUnavailable: 1\n  selector: {}", "selector of the PodDisruptionBudget is empty"},
	{kubernetes, "  maxUnavailable: 1", "  maxUnavailable: 0", "a node cannot be drained"},
	{kubernetes, "  selector: {app.kubernetes.io/name: flagship}", "  selector: {app: flagship}", "the Service selects app=flagship"},

	// The image.
	{compose, "flagship:1.0.0", "flagship:latest", `image "registry.example/flagship:latest": want one version`},
	{dockerfile, "golang:1.26", "golang:1.25", "go.mod has Go 1.26"},
	{dockerfile, "golang:1.26", "golang:latest", "go.mod has Go 1.26"},
	{dockerfile, "static-debian12", "static", "two stages of known versions"},
	{dockerfile, "USER 65532:65532", "USER nonroot", "the user is root, or has no number"},
	{dockerfile, "CGO_ENABLED=0 ", "", "needs a library of C"},
	{dockerfile, "GOWORK=off ", "", "go.work decides"},
	{dockerfile, "-o /out/flagship", "-o /flagship", `"/flagship" is built`},
	{dockerfile, `ENTRYPOINT ["/flagship"]`, `ENTRYPOINT ["flagship"]`, "the entry point is"},
	{dockerfile, "/src/examples/flagship", "/src/flagship", "no such file"},
	{dockerfile, "EXPOSE 8080", "EXPOSE 80", `port ["80"]`},
	{compose, "examples/flagship/deploy/Dockerfile", "deploy/Dockerfile", "there is no deploy/Dockerfile"},
	{compose, "context: ../../..", "context: ../..", "there is no examples/flagship/deploy/Dockerfile"},
}
