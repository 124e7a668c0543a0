package serve_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"
)

// recipe is how a block of docs/serve.md becomes a program that prints the kubeconfig, and ends when
// its standard input does.
type recipe struct {
	// needs is what the language takes; file is the program, and around is what is around the block.
	needs, file, around string
	// run are the commands, one after the other.
	run [][]string
}

var recipes = map[string]recipe{
	"python": {
		"python3", "serve.py", "import sys\n…\nprint(kubeconfig, flush=True)\nsys.stdin.read()\n",
		[][]string{{"python3", "serve.py"}},
	},
	"js": {
		"node", "serve.mjs", "…\nconsole.log(kubeconfig);\n" +
			"process.stdin.on('end', () => process.exit()).resume();\n",
		[][]string{{"node", "serve.mjs"}},
	},
	"java": {
		"java", "Serve.java", "public class Serve { public static void main(String[] args) throws Exception {\n…\n" +
			"System.out.println(kubeconfig);\nSystem.in.readAllBytes(); server.getOutputStream().close(); } }\n",
		[][]string{{"java", "Serve.java"}},
	},
	"rust": {
		"rustc", "serve.rs", "fn main() -> Result<(), Box<dyn std::error::Error>> {\n…\nprintln!(\"{kubeconfig}\");\n" +
			"std::io::stdin().read_line(&mut String::new())?;\nserver.kill()?; Ok(()) }\n",
		[][]string{{"rustc", "-o", "serve", "serve.rs"}, {"./serve"}},
	},
}

// TestRecipes runs what docs/serve.md says for other languages, where they are on the machine: each
// starts a server that answers, and that is gone when the program is.
func TestRecipes(t *testing.T) {
	ssactl := built(t)
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "serve.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", filepath.Dir(ssactl)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for language, r := range recipes {
		t.Run(language, func(t *testing.T) {
			block := regexp.MustCompile("(?s)```" + language + "\n(.*?)```").FindSubmatch(page)
			if block == nil {
				t.Fatal("docs/serve.md has no such block")
			}
			program(t, r.needs)
			r.try(t, string(block[1]))
		})
	}
}

// try runs a block as a program.
func (r recipe) try(t *testing.T, block string) {
	t.Helper()
	dir := t.TempDir()
	text := strings.Replace(r.around, "…\n", block, 1)
	if err := os.WriteFile(filepath.Join(dir, r.file), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	last := len(r.run) - 1
	for _, command := range r.run[:last] {
		cmd := exec.CommandContext(ctx, command[0], command[1:]...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", command, err, out)
		}
	}
	cmd := exec.CommandContext(ctx, r.run[last][0], r.run[last][1:]...)
	cmd.Dir = dir
	in, kubeconfig := begin(t, cmd)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.Timeout = time.Second
	client := kubernetes.NewForConfigOrDie(config)
	if _, err := client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{}); err != nil {
		t.Error(err)
	}
	in.Close()
	if err := cmd.Wait(); err != nil {
		t.Errorf("the program: %v", err)
	}
	eventually(t, "end of the server", func() bool {
		_, err := client.CoreV1().Namespaces().Get(ctx, "default", metav1.GetOptions{})
		return err != nil
	})
}
