package main

import (
	"fmt"
	"strings"
)

// commands is the only list of commands. The first argument, the help and the tests of the lessons use it.
func commands() []command {
	return []command{
		serveCommand(),
		envCommand(),
		seedCommand(),
		snapshotCommand(),
		clockCommand(),
		triggerCommand(),
		deliveriesCommand(),
		resendCommand(),
		faultCommand(),
		cartCommand(),
		quoteCommand(),
		buyCommand(),
		payCommand(),
		saleCommand(),
		refundCommand(),
		signCommand(),
		verifyCommand(),
		doctorCommand(),
		recordCommand(),
		replayCommand(),
		helpCommand(),
	}
}

// find returns the command of a name.
func find(name string) (command, error) {
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return c, nil
		}
		names = append(names, c.name)
	}
	return command{}, &usageError{"", fmt.Errorf("%q: must be a command: %s", name, strings.Join(names, ", "))}
}
