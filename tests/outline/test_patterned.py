"""Languages without a grammar, by the patterns of their lines: what is found, where it ends, what is passed over."""

import pytest
from hypothesis import given

from budgeted_reads.outline.entry import Outline
from budgeted_reads.outline.formats import BY_NAME, FORMATS
from budgeted_reads.outline.patterns import LANGUAGES
from budgeted_reads.outline.patterns.marks import masked
from budgeted_reads.outline.registry import maker, outline
from budgeted_reads.text import decode
from outline.checks import check, flat, shown
from outline.test_registry import CONTENTS


def made(content: str, name: str) -> Outline:
    text = decode(content.encode())
    result = outline(text, name.encode())
    check(text, result)
    return result


EMACS = r"""
;;; boat.el --- (defun no ())
(require 'cl-lib)

;; How wide.
(defcustom boat-width 3
  "Width (in \"metres\".
defun (not one"
  :type 'integer)

(defun boat-open (char)
  (if (eq char ?\()  ; (
      ?\"
    (defun boat-inner () nil)))

(cl-defmethod boat-name ((b boat)) b)
(with-eval-after-load 'sea
  (defmacro boat-row (n)
    `(defun ,n ())))
(boat-define-key boat-map "a")
(define-key boat-map "a" #'boat-open)
(ert-deftest boat-opens () (should t))
"""
CLOJURE = """\
(ns boat.core
  (:require [sea.core :as sea]))

(def ^:private width 3)
(defn- ^{:doc "Opens (it"} open-it
  [c] (= c \\())
#_(defn no [])
(defmethod draw :boat [b]
  "x ; y" b)
(defprotocol Floats
  (float-it [this]))
(comment
  "defn no")
(deftest a-test (is (= 1 1)))
"""
COMMON = """\
#| (defun no ()) #| nested |# |#
(in-package :boat)
(defun (setf width) (w boat) (list w boat #\\( ))
(defclass boat (vessel)
  ((width :initarg :width)))
(defmethod draw ((b boat)) b)
(let ((n 0))
  (defun next () (incf n)))
"""
SCHEME = """\
(define-module (sea boat)
  #:export (width))
(define (width b)
  (define inner 1)
  (vector-ref b 0))
(define pi 3)
(define-record-type <boat> (make w) boat? (w get))
(define-syntax swap (syntax-rules ()))
"""
OCAML = """\
(* let no = 1 (* nested *) let no *)
open Sea

(** Doc. *)
type 'a boat = {
  width : int;
}
and sail = Sail of string

exception Sunk of string
module type FLOATS = sig
  type t
  val draw : t -> unit
  val width : int
end
module Make (F : FLOATS) = struct
  let rec row n =
    let deeper = '"' in
    match n with
    | 0 -> deeper
    | _ -> row (n - 1)
  and steer () = ()
  let name = {q|let no = |q}
end
external now : unit -> float = "now"
let ( >>= ) a f = f a
let twice = fun x -> x * 2
let width = 3

let () =
  print_endline "x"
"""
FSHARP = """\
namespace Sea

open System

/// Doc.
[<RequireQualifiedAccess>]
module Boat =
#if DEBUG
    let debug = true
#endif
    // let no = 1
    type Sail =
        | Main
        | Jib of int
        member this.Size = 3
        static member Create(n: int) =
            n
    let rec row (n: int) =
        let inner = 1
        n + inner
    [<Literal>]
    let Width = "let no x = "

    [<Test>]
    let ``it floats`` () =
        ()
type Crew(name: string) =
    let mutable count = 0
    member val Name = name with get, set
    interface IDisposable with
        member _.Dispose() = ()
"""
OBJECTIVE_C = """\
#import "Boat.h"
@class Sail;
@protocol Sail, Oar;
// @interface No
static NSString * const kBoat = @"@interface No";

typedef NS_ENUM(NSInteger, BoatKind) {
    BoatKindSmall,
};

BOAT_EXPORT @interface Boat : NSObject <Floats>
@property (nonatomic, copy, nullable) NSURL *URL;
@property (nonatomic, copy) void (^done)(NSError *error);
@property (readonly) BOOL open NS_SWIFT_NAME(isOpen);
- (instancetype)initWithWidth:(CGFloat)width NS_DESIGNATED_INITIALIZER;
+ (nullable Boat *)GET:(NSString *)URLString
            parameters:(nullable id)parameters
               success:(void (^)(id response))success;
@end

@implementation Boat (Rowing)

- (void)row
{
    if (self.open) {
    }
}

static int helper(int a) {
    return a;
}

- (void)steer:(int)a to:(int)b {
    [self draw:^(id x) {
    }];
}
@end
"""
POWERSHELL = """\
<#
function No { }
#>
function Get-Boat {
    [CmdletBinding()]
    param([string] $Name = "}")
    # function No {
    $text = @"
function No {
}
"@
    if ($Name) { "This function returns" }
}
filter Only-Wide { $_ }
class Boat : Vessel {
    [int] $Width
    Boat([int] $w) {
        $this.Width = $w
    }
    [string] Draw() { return "x" }
}
enum Kind { Small; Large }
Describe "a $boat" {
    BeforeAll { function Helper { } }
    It 'floats' -TestCases @(
        @{ a = 1 }
    ) {
        $true | Should -Be $true
    }
}
"""
PERL = """\
package Boat;
use strict;
use constant WIDTH => 3;
our $VERSION = '1.0';

=head1 NAME

sub no { }

=cut

# Makes one.
sub new {
    my ($class) = @_;
    my $text = <<"EOT";
sub no {
EOT
    return $text =~ m/\\{'/;
}
sub short { 1 }
sub later;
package Boat::Sail {
    sub raise
    {
        return 2;
    }
}
1;
__END__
sub no { }
"""
PERL_TEST = "use Test::More;\nsubtest 'it floats' => sub {\n  ok 1;\n};\n"
BATS = """\
#!/usr/bin/env bats
# @test "no" {
setup() {
  cat <<EOF
@test "no" {
EOF
}
@test "adds two sub totals in class" {
  run add 1 "it's
}"
}
function helper { :; }
"""
TCL = """\
# proc no {} {
namespace eval boat {
    proc row {n} {
        return [expr {$n + 1}]
    }
}
test {it {floats}} {
}
test {it floats} {
    assert 1
}
"""
NIX = """\
{ config, lib, width ? 3, ... }:
let
  cfg = config.boat; # no = 1;
  mkBoat = { name, ... }: name;
  twice = n:
    n * 2;
in
{
  options.boat = {
    enable = true;
  };
  "a.b" = ''
    no = ${cfg};
  '';
  config = lib.mkIf cfg.enable {
    x = 1;
  };
}
"""
ERLANG = """\
-module(boat).
-record(sail, {
    size = $.
}).
-spec row(integer()) -> ok.
row(0) ->
    ok; % no(
row(N) ->
    row(N - 1).
"""


@pytest.mark.parametrize(
    ("content", "name", "rows"),
    [
        (
            EMACS,
            "boat.el",
            "6-9 variable boat-width\n11-14 function boat-open\n16-16 function boat-name\n18-19 macro boat-row\n"
            "22-22 test boat-opens\n",
        ),
        (
            CLOJURE,
            "boat.clj",
            "1-2 namespace boat.core\n4-4 constant width\n5-6 function open-it\n8-9 method draw :boat\n"
            "10-11 protocol Floats\n14-14 test a-test\n",
        ),
        (
            COMMON,
            "boat.lisp",
            "3-3 function (setf width)\n4-5 class boat\n6-6 method draw\n8-8 function next\n",
        ),
        (
            SCHEME,
            "boat.scm",
            "1-2 module sea boat\n3-5 function width\n6-6 constant pi\n7-7 type <boat>\n8-8 macro swap\n",
        ),
        (
            OCAML,
            "boat.ml",
            "5-7 type boat\n8-8 type sail\n10-10 exception Sunk\n11-15 module FLOATS\n  12-12 type t\n"
            "  13-13 function draw\n  14-14 constant width\n16-24 module Make\n  17-21 function row\n"
            "  22-22 function steer\n  23-23 constant name\n25-25 function now\n26-26 function ( >>= )\n"
            "27-27 function twice\n28-28 constant width\n30-31 block let ()\n",
        ),
        (
            FSHARP,
            "Boat.fs",
            "1-31 namespace Sea\n  6-26@7 module Boat\n    9-9 constant debug\n    12-17 type Sail\n"
            "      15-15 method Size\n      16-17 method Create\n    18-20 function row\n"
            "    21-22@22 constant Width\n    24-26@25 test it floats\n"
            "  27-31 type Crew\n    28-28 constant count\n    29-29 method Name\n    30-31 interface IDisposable\n"
            "      31-31 method Dispose\n",
        ),
        (
            OBJECTIVE_C,
            "Boat.m",
            "5-5 constant kBoat\n7-9 enum BoatKind\n11-19 interface Boat\n  12-12 property URL\n  13-13 property done\n"
            "  14-14 property open\n  15-15 method initWithWidth:\n  16-18 method GET:parameters:success:\n"
            "21-37 implementation Boat (Rowing)\n  23-27 method row\n  29-31 function helper\n"
            "  33-36 method steer:to:\n",
        ),
        (
            POWERSHELL,
            "boat.ps1",
            "4-13 function Get-Boat\n14-14 function Only-Wide\n15-21 class Boat\n  16-16 property Width\n"
            "  17-19 method Boat\n  20-20 method Draw\n22-22 enum Kind\n23-30 test a $boat\n  25-29 test floats\n",
        ),
        (
            PERL,
            "Boat.pm",
            "1-21 package Boat\n  3-3 constant WIDTH\n  4-4 variable $VERSION\n  13-19 function new\n"
            "  20-20 function short\n22-27 package Boat::Sail\n  23-26 function raise\n",
        ),
        (PERL_TEST, "a.t", "2-4 test it floats\n"),
        (
            BATS,
            "a.bats",
            "3-7 function setup\n8-11 test adds two sub totals in class\n12-12 function helper\n",
        ),
        (TCL, "a.tcl", "2-6 namespace boat\n  3-5 function row\n7-8 test it {floats}\n9-11 test it floats\n"),
        (
            NIX,
            "default.nix",
            "3-3 key cfg\n4-4 function mkBoat\n5-6 function twice\n9-11 key options.boat\n12-14 key a.b\n"
            "15-17 key config\n",
        ),
        (ERLANG, "boat.erl", "1-1 module boat\n2-4 record sail\n5-9@6 function row\n"),
    ],
    ids=lambda value: value if isinstance(value, str) and "\n" not in value else "",
)
def test_definitions_of_a_language_without_a_grammar(content: str, name: str, rows: str) -> None:
    """Each to its end, nested as they stand; what comments and strings say is none, nor what is in a function."""
    result = made(content, name)
    assert shown(result.entries) == rows
    assert [warned.code for warned in result.warnings] == ["approximate_outline"]
    assert result.language == result.format
    assert result.style == "code"


@pytest.mark.parametrize(
    ("content", "name", "doc"),
    [
        ("; a\n\n;; One.\n;; Two.\n(defun a ())\n", "a.el", (3, 4)),
        ("/** A. */\n- (void)b;\n@interface A\n/* B */\n- (void)b;\n@end\n", "a.m", None),
        ("<#\nA\n#>\nfunction A {\n}\n", "a.ps1", (1, 3)),
        ("x = 1\nsub a {\n}\n", "a.pm", None),
    ],
)
def test_comments_directly_above_are_the_doc(content: str, name: str, doc: tuple[int, int] | None) -> None:
    """From the first line of them to the last."""
    assert made(content, name).entries[0].doc == doc


def test_a_text_without_definitions_is_plain_text() -> None:
    """It is not flagged: nothing was guessed."""
    result = made("Write-Host 'a'\n", "a.ps1")
    assert (result.format, result.style, result.warnings) == ("powershell", "plain", ())


@pytest.mark.parametrize(
    ("content", "name", "rows"),
    [
        ('(defun a (\n(defun b ())\n(defvar c "', "a.el", "1-1 function a\n2-2 function b\n3-3 variable c\n"),
        ("sub a {\nsub b {\n}\n", "a.pm", "1-1 function a\n2-3 function b\n"),
        (
            "@interface A\n- (void)b {\n@end\n@interface C\n",
            "a.m",
            "1-3 interface A\n  2-2 method b\n4-4 interface C\n",
        ),
        ("let a = (* open\nlet b = 1\n", "a.ml", "1-1 constant a\n"),
        ("function A {\n  'x\n}\nfunction B {\n}\n", "a.ps1", "1-5 function A\n"),
    ],
)
def test_what_never_closes_gives_a_sound_outline(content: str, name: str, rows: str) -> None:
    """It ends where the next of its depth begins, or with the last line of code."""
    assert shown(made(content, name).entries) == rows


@pytest.mark.parametrize("form", [form for form in FORMATS if form.module == "patterned"], ids=lambda form: form.name)
@pytest.mark.parametrize(
    "mark",
    ['"', '"\\', "(", "'\\", "@interface ", "@interface A\n", "(*", "<<A\n", "#|", "'' ", "{|", "sub a {\n", "- (a:(",
     "(def a\n", "package A {\n", "module A = struct\n", "@property (", "a b "],
)  # fmt: skip
def test_hostile_marks_end(form: object, mark: str) -> None:
    """Forty kilobytes of one mark, in one line or in many, give some sound outline."""
    for content in (mark * (40_000 // len(mark)), "\n".join([mark * 50] * (40_000 // len(mark) // 50))):
        text = decode(content.encode())
        check(text, maker(form)(text, form))  # type: ignore[arg-type]


def test_depth_is_bounded() -> None:
    """A thousand definitions, each deeper than the last, are no deeper than any outline."""
    content = "".join(f"{' ' * at}module A = struct\n" for at in range(1_000))
    assert max(entry.level for entry in flat(made(content, "a.ml").entries)) <= 200


@pytest.mark.parametrize("name", sorted(LANGUAGES))
@given(content=CONTENTS)
def test_masking_keeps_every_line_where_it_was(name: str, content: str) -> None:
    """What is blanked is as long as it was, and has the same ends of lines."""
    code = masked(content, LANGUAGES[name].marks)
    assert [len(line) for line in code.split("\n")] == [len(line) for line in content.split("\n")]
    assert BY_NAME[name].module == "patterned"
