package admission

import (
	"github.com/google/cel-go/common/ast"
	v1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apiserver/pkg/admission/plugin/cel"
	"k8s.io/apiserver/pkg/admission/plugin/policy/validating"
	"k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions"
	"k8s.io/apiserver/pkg/cel/environment"
)

// policyCompiler compiles the expressions of one policy, which share its variables.
type policyCompiler struct {
	*cel.CompositedCompiler
	name string
	// declared are the variables that expressions may use.
	declared      cel.OptionalVariableDeclarations
	failurePolicy *v1.FailurePolicyType
	discretion    discretion
}

func newPolicyCompiler(
	name string,
	hasParams bool,
	failurePolicy *v1.FailurePolicyType,
	variables []v1.Variable,
	d discretion,
) (*policyCompiler, error) {
	compiler, err := cel.NewCompositedCompiler(environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()))
	if err != nil {
		return nil, err
	}
	c := &policyCompiler{
		CompositedCompiler: compiler,
		name:               name,
		declared:           cel.OptionalVariableDeclarations{HasParams: hasParams, HasAuthorizer: true},
		failurePolicy:      failurePolicy,
		discretion:         d,
	}
	named := make([]cel.NamedExpressionAccessor, len(variables))
	for i, v := range variables {
		named[i] = &validating.Variable{Name: v.Name, Expression: v.Expression}
	}
	c.CompileAndStoreVariables(named, c.declared, environment.StoredExpressions)
	return c, nil
}

// matcher evaluates match conditions; nil where there are none.
func (c *policyCompiler) matcher(conditions []v1.MatchCondition) matchconditions.Matcher {
	if len(conditions) == 0 {
		return nil
	}
	accessors := make([]cel.ExpressionAccessor, len(conditions))
	for i := range conditions {
		accessors[i] = (*matchconditions.MatchCondition)(&conditions[i])
	}
	filter := c.CompileCondition(accessors, c.declared, environment.StoredExpressions)
	return &discreetMatcher{
		matchconditions.NewMatcher(filter, c.failurePolicy, "policy", "validate", c.name),
		c.discretion,
	}
}

func conditionExpressions(conditions []v1.MatchCondition, variables []v1.Variable) []string {
	var all []string
	for _, c := range conditions {
		all = append(all, c.Expression)
	}
	for _, v := range variables {
		all = append(all, v.Expression)
	}
	return all
}

// asked is what expressions look at besides the objects of a request.
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
