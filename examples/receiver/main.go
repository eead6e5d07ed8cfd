// Command receiver receives webhooks that survive kills, in one process or in replicas. It also has the commands to
// operate their inbox. It mirrors the products of a store only by webhooks.
//
//	go run ./examples/receiver
//
// It requires only Go. It fills a reference server and starts itself as a second process that receives. It kills that
// process (kill -9) three times while the store changes, and compares the mirror with the store at the end. The
// deliveries are in a SQLite file. This command stores them in PostgreSQL, where any number of processes can share the
// work:
//
//	go run ./examples/receiver -database postgres://user@localhost/db
//
// With -ops 127.0.0.1:8081 a page shows the inbox during the demonstration, and with -console 127.0.0.1:8082 the
// console shows the platform. The program then stays until Ctrl-C. With -ops it also leaves some dead deliveries to
// replay and purge.
//
// # A real platform
//
//	export COMMERCE_TOKEN=…       # of an installed app with read_products
//	export COMMERCE_APP_SECRET=…  # signs webhooks
//	receiver -base-url https://api.example.com -store-id 1234 -database mirror.db -listen 127.0.0.1:8080
//
// The program receives at the address that the app registered for the events of products. It may be
// killed at any time and started again. A load balancer checks /readyz, which fails for 5 seconds after SIGTERM before
// the program stops accepting. A process manager checks /livez. With -secrets FILE the secrets are in a file, which is
// read again at SIGHUP.
//
// This command lists the dead deliveries, which are not retried; "inbox help" prints the other commands:
//
//	receiver -database mirror.db inbox dead
//
// # Guarantees
//
// No delivery is lost, and no run of a delivery has its effect twice. A delivery is in the database before it is
// answered. A worker reads the record that it names, and writes the record in the transaction that also ends the
// delivery (webhook.CommitTx). A killed process therefore leaves both or none. A write carries the token of its lease
// and never overwrites the write of a later lease.
//
// # Exit status
//
// 0 if the mirror equals the store, 1 if it does not, 3 if the program could not run. The command inbox has the exit
// status of inboxops.Main.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
)

// The exit statuses.
const (
	exitEqual   = 0
	exitDiffers = 1
	exitFailed  = 3
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Getenv, os.Stdout)
	stop()
	os.Exit(status)
}

// run is the program; it returns the exit status.
func run(ctx context.Context, args []string, env func(string) string, stdout io.Writer) int {
	o, err := readOptions(args, env)
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitEqual
	case err == nil && o.inbox != nil:
		return inspect(ctx, o, stdout)
	case err == nil && o.baseURL != "":
		err = receive(ctx, o, stdout)
	case err == nil:
		err = demonstrate(ctx, o, stdout)
	}
	if err == nil {
		return exitEqual
	}
	fmt.Fprintln(stdout, "receiver:", err)
	if errors.Is(err, errDiffers) {
		return exitDiffers
	}
	return exitFailed
}
