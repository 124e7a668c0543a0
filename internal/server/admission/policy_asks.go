package admission

import (
	"github.com/google/cel-go/common/ast"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/cel/environment"
)

// asked is what expressions look at beside the objects of a request.
type asked struct {
	// requester: who asks, and what they may do.
	requester bool
	// namespace: more of the Namespace than its name.
	namespace bool
}

// askedBy reads expressions; those that cannot be read ask for nothing.
func askedBy(expressions []string) asked {
	var a asked
	named := 0
	visit(expressions, func(e ast.Expr) {
		switch {
		case isIdent(e, "authorizer"), isSelect(e, "userInfo") && isIdent(e.AsSelect().Operand(), "request"):
			a.requester = true
		case isIdent(e, "namespaceObject"):
			named++
		case isSelect(e, "name") && isSelect(e.AsSelect().Operand(), "metadata") &&
			isIdent(e.AsSelect().Operand().AsSelect().Operand(), "namespaceObject"):
			named--
		}
	})
	a.namespace = named > 0
	return a
}

// literalsOf are the texts in expressions, sorted.
func literalsOf(expressions []string) []string {
	texts := sets.New[string]()
	visit(expressions, func(e ast.Expr) {
		if e.Kind() != ast.LiteralKind {
			return
		}
		if text, ok := e.AsLiteral().Value().(string); ok {
			texts.Insert(text)
		}
	})
	return sets.List(texts)
}

// visit goes through expressions, as far as they can be read.
func visit(expressions []string, visit func(ast.Expr)) {
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	for _, expression := range expressions {
		if parsed, issues := env.Parse(expression); issues.Err() == nil {
			ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(visit))
		}
	}
}

func isIdent(e ast.Expr, name string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == name
}

func isSelect(e ast.Expr, field string) bool {
	return e.Kind() == ast.SelectKind && e.AsSelect().FieldName() == field
}
