/** Classifies a question by the kind of answer that it asks for. @module */

/** A definition by its name, one definition by what it does, or the place where something is dealt with. */
export type QuestionKind = "name" | "description" | "topic";

/** Verbs that begin a description of what a definition does, without their endings. */
const VERBS = new Set(
  ("accept accumulat adapt add adjust align allocat allow append appl assert assign attach attempt authenticat bind " +
    "build calculat call cancel cast chang check choos clean clear clos collect combin compar complet compress comput " +
    "configur connect consum contain convert copi count creat decid decod decrement decrypt defin delet deserializ destroy " +
    "detach detect determin disabl discard dispatch display drop emit enabl encod encrypt ensur enter eras escap estimat " +
    "evaluat execut expand expos extend extract fail fetch fill find flatten flush forward freez generat get giv handl " +
    "highlight ignor implement increment indent indicat initializ initialis insert inspect instantiat intercept invok issu " +
    "iterat join keep launch listen load look mak manag map mark match merg modif mov normaliz notif obtain open overrid " +
    "pars pass perform pick pip pop prepar prevent print produc prompt provid push put read receiv record reduc refresh " +
    "register releas remov renam render replac report represent reset resolv restor resum retriev return revers run " +
    "sanitiz sav schedul select send serializ set setup shrink simplif skip spawn specif split start stop stor strip " +
    "subscrib switch tak tell throw toggl track transform translat trim truncat turn unregister unwrap updat validat " +
    "verif visit wait wak walk warn wrap writ yield").split(" "),
);
const VERB_ENDING = /(?:ies|es|s|e|y)$/;
const ASKS = /^(?:how|where|what|which|why|when|who)$/;
/** Words other than verbs that descriptions begin with. */
const OPENS = /^(?:an?|the|this|these|used|called|whether|helper|like|given|internal|async|synchronously)$/;
/** What people search for has fewer words than what they write above a definition. */
const SHORTEST_DESCRIPTION = 4, LONGEST_TOPIC = 9;

/** @param isName Whether the whole question is one name or path. */
export function questionKind(text: string, isName: boolean): QuestionKind {
  if (isName) return "name";
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const [first = ""] = words;
  if (ASKS.test(first) || words.length < SHORTEST_DESCRIPTION) return "topic";
  const describes = OPENS.test(first) || VERBS.has(first) || VERBS.has(first.replace(VERB_ENDING, ""));
  return describes || words.length > LONGEST_TOPIC ? "description" : "topic";
}
