package proctest

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// Program is the environment variable that makes Example run the example. An example that starts itself passes it on.
const Program = "COMMERCE_TEST_EXAMPLE"

// arguments are those of the example, one a line. It is only for the child, and not for processes that that starts.
const arguments = "COMMERCE_TEST_EXAMPLE_ARGUMENTS"

// Example runs main and exits if this process is the example. Otherwise it returns at once. TestMain calls it before
// anything else.
func Example(main func()) {
	if os.Getenv(Program) == "" {
		return
	}
	if args, is := os.LookupEnv(arguments); is {
		os.Args = append(os.Args[:1], strings.Split(args, "\n")...)
		_ = os.Unsetenv(arguments)
	}
	main()
	os.Exit(0)
}

// Console runs the example with -console and the arguments. It fails the test unless the console answers from its
// announcement on, the example stays after its end, and its status is 0 after an interrupt (SIGINT).
func Console(t testing.TB, args ...string) {
	t.Helper()
	args = append([]string{"-console", "127.0.0.1:0"}, args...)
	p := StartProgram(t, os.Args[0], Program+"=1", arguments+"="+strings.Join(args, "\n"))
	url := ""
	for {
		line := p.Line(t) // fails if the example has ended
		t.Log(line)
		if after, announces := strings.CutPrefix(line, "The console is at "); announces {
			url = after
			answers(t, url)
		}
		if strings.HasPrefix(line, "The console stays at "+url+" ") {
			break
		}
	}
	answers(t, url)
	p.Interrupt(t)
	p.Wait(t)
}

// answers fails the test unless the pages are at the address.
func answers(t testing.TB, url string) {
	t.Helper()
	c := http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := c.Get(url + "stores")
	if err != nil {
		t.Error(err)
		return
	}
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		t.Errorf("%sstores: %s", url, answer.Status)
	}
}
