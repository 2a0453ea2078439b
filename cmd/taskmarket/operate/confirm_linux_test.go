package operate

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"taskmarket/client/mcp"
)

// childVariable makes the test program ask on its terminal for the duration in the variable, and end with
// the answer.
const childVariable = "CONFIRM_ON_TERMINAL"

func TestMain(m *testing.M) {
	if wait, err := time.ParseDuration(os.Getenv(childVariable)); err == nil {
		ctx, cancel := context.WithTimeout(context.Background(), wait)
		defer cancel()
		yes, err := askTerminal(ctx, mcp.Confirmation{Text: "Action: approve task\nreason: \"a\x1b[2K\""})
		fmt.Printf("yes=%v err=%v\n", yes, err)
		return
	}
	os.Exit(m.Run())
}

// terminal starts the child on a new terminal and returns the terminal's other side and the child's result.
func terminal(t *testing.T, wait time.Duration) (screen *os.File, result func() string) {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = screen.Close() })
	number, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err != nil {
		t.Fatal(err)
	}
	side, err := os.OpenFile("/dev/pts/"+strconv.Itoa(number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	child := exec.CommandContext(t.Context(), os.Args[0])
	child.Env = append(os.Environ(), childVariable+"="+wait.String())
	child.Stdin = side
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	_ = side.Close()
	return screen, func() string {
		text, err := io.ReadAll(out)
		if err := errors.Join(err, child.Wait()); err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(text))
	}
}

// On the terminal, only the code of this question confirms. A line that was typed before does not.
func TestTerminalConfirms(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		early string
		late  func(code string) string
		wait  time.Duration
		want  string
	}{
		"the code":          {"", func(code string) string { return strings.ToLower(code) + "\n" }, time.Minute, "yes=true err=<nil>"},
		"yes":               {"", func(string) string { return "yes\n" }, time.Minute, "yes=false err=<nil>"},
		"an empty line":     {"", func(string) string { return "\n" }, time.Minute, "yes=false err=<nil>"},
		"typed before":      {"y\n", func(code string) string { return code + "\n" }, time.Minute, "yes=false err=<nil>"},
		"the end of input":  {"", func(string) string { return "\x04" }, time.Minute, "yes=false err=<nil>"},
		"no answer in time": {"", func(string) string { return "" }, 300 * time.Millisecond, "yes=false err=context deadline exceeded"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			screen, result := terminal(t, c.wait)
			if _, err := io.WriteString(screen, c.early); err != nil {
				t.Fatal(err)
			}
			lines := bufio.NewReader(screen)
			question, err := lines.ReadString(':')
			for err == nil && !strings.HasSuffix(question, "decline:") {
				var more string
				more, err = lines.ReadString(':')
				question += more
			}
			_, rest, _ := strings.Cut(question, "Type ")
			code, _, ok := strings.Cut(rest, " ")
			if err != nil || !ok || !strings.Contains(question, "Action: approve task") || strings.Contains(question, "\x1b") {
				t.Fatalf("the question is %q (%v)", question, err)
			}
			if _, err := io.WriteString(screen, c.late(code)); err != nil {
				t.Fatal(err)
			}
			if got := result(); got != c.want {
				t.Errorf("the result is %q, want %q", got, c.want)
			}
		})
	}
}

// Only exit code 0 of the command confirms. The command reads the question, and none of the settings.
func TestCommandConfirms(t *testing.T) {
	t.Setenv("TASKMARKET_PRIVATE_KEY", "0x1234")
	asked := filepath.Join(t.TempDir(), "asked")
	t.Setenv("ASKED", asked)
	question := mcp.Confirmation{Text: "Action: approve task\nWallet: 0x1", Arguments: map[string]any{"task_id": "1"}}
	for command, want := range map[string]string{
		`cat > "$ASKED"`:                   "true <nil>",
		`exit 1`:                           "false <nil>",
		`kill -9 $$`:                       "false <nil>",
		`[ -z "$TASKMARKET_PRIVATE_KEY" ]`: "true <nil>",
		`[ -n "$PATH" ]`:                   "true <nil>",
		`taskmarket-no-such-program`:       "false run the command of --confirm: exit status 127",
		`echo '{"jsonrpc":"2.0"}'; exit 3`: "false <nil>",
	} {
		var stderr strings.Builder
		yes, err := askCommand(t.Context(), command, &stderr, question)
		if got := fmt.Sprint(yes, " ", err); got != want {
			t.Errorf("%s: %s, want %s (stderr %q)", command, got, want, stderr.String())
		}
	}
	raw, err := os.ReadFile(asked)
	if want := `{"text":"Action: approve task\nWallet: 0x1","arguments":{"task_id":"1"}}` + "\n"; err != nil || string(raw) != want {
		t.Errorf("the command read %q (%v)", raw, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if yes, err := askCommand(ctx, "sleep 60", io.Discard, question); yes || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a command that hangs: %v, %v", yes, err)
	}
}
