package main

import (
	"fmt"
	"strings"

	"github.com/commerceplatform/commerce-go/internal/refserver/world"
)

// commands is the only list of commands. The first argument, the help and the tests of the lessons use it.
func commands() []command {
	return []command{
		serveCommand(),
		envCommand(),
		installCommand(),
		uninstallCommand(),
		seedCommand(),
		snapshotCommand(),
		clockCommand(),
		triggerCommand(),
		logCommand(),
		deliveriesCommand(),
		resendCommand(),
		faultCommand(),
		cartCommand(),
		quoteCommand(),
		buyCommand(),
		payCommand(),
		saleCommand(),
		refundCommand(),
		initCommand(),
		mcpCommand(),
		signCommand(),
		verifyCommand(),
		contractCommand(),
		doctorCommand(),
		testCommand(),
		scenarioCommand(),
		recordCommand(),
		replayCommand(),
		doCommand(),
		helpCommand(),
	}
}

// find returns the command of a name.
func find(name string) (command, error) {
	if name, ok := strings.CutPrefix(name, "do "); ok {
		if c, ok := findAct(name); ok {
			return c, nil
		}
		return doCommand(), nil
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	err := fmt.Errorf("%q: must be a command: %s", name, strings.Join(names, ", "))
	if near := world.Nearest(name, names); near != "" {
		err = fmt.Errorf("%q: must be a command; the nearest is %s", name, near)
	}
	return command{}, &usageError{"", err}
}
