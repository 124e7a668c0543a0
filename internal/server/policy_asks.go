package server

import (
	"github.com/google/cel-go/common/ast"
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
	env := environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()).StoredExpressionsEnv()
	var a asked
	named := 0
	for _, expression := range expressions {
		parsed, issues := env.Parse(expression)
		if issues.Err() != nil {
			continue
		}
		ast.PreOrderVisit(parsed.NativeRep().Expr(), ast.NewExprVisitor(func(e ast.Expr) {
			switch {
			case isIdent(e, "authorizer"), isSelect(e, "userInfo") && isIdent(e.AsSelect().Operand(), "request"):
				a.requester = true
			case isIdent(e, "namespaceObject"):
				named++
			case isSelect(e, "name") && isSelect(e.AsSelect().Operand(), "metadata") &&
				isIdent(e.AsSelect().Operand().AsSelect().Operand(), "namespaceObject"):
				named--
			}
		}))
	}
	a.namespace = named > 0
	return a
}

func isIdent(e ast.Expr, name string) bool {
	return e.Kind() == ast.IdentKind && e.AsIdent() == name
}

func isSelect(e ast.Expr, field string) bool {
	return e.Kind() == ast.SelectKind && e.AsSelect().FieldName() == field
}
