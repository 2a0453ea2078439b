// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {PasskeyAccount} from "../../../src/PasskeyAccount.sol";
import {vm} from "../../utils/Vm.sol";
import {Handler} from "./Handler.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";

/// @dev These invariants must hold for all actions of owners, former owners and strangers:
///
/// 1. Exactly the operations and calls of owners have an effect, once and only in their time, on
/// the account and chain that they were signed for.
/// 2. The account's money changes only by these and by donations.
/// 3. The owners are those that owners have added and not removed, and at least one.
/// 4. Any owner can take out all the money.
contract AccountsTest {
    struct FuzzSelector {
        address addr;
        bytes4[] selectors;
    }

    bool public constant IS_TEST = true;

    Handler private handler;
    PasskeyAccount private account;
    IERC20 private token;

    function setUp() external {
        handler = new Handler();
        (account, token) = (handler.subject(), handler.money());
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    /// @dev Lists `operate` several times, so that operations are more frequent than other actions.
    function targetSelectors() external view returns (FuzzSelector[] memory selectors) {
        bytes4[] memory list = new bytes4[](8);
        (list[0], list[1], list[2]) =
        (handler.operate.selector, handler.operate.selector, handler.callDirectly.selector);
        (list[3], list[4], list[5]) =
        (handler.replay.selector, handler.intrude.selector, handler.signMessage.selector);
        (list[6], list[7]) = (handler.give.selector, handler.operate.selector);
        selectors = new FuzzSelector[](1);
        selectors[0] = FuzzSelector(address(handler), list);
    }

    /// forge-config: default.invariant.runs = 24
    /// forge-config: default.invariant.depth = 64
    /// forge-config: deep.invariant.runs = 1000
    /// forge-config: deep.invariant.depth = 128
    function invariant_OnlyOwnersAct() external view {
        vm.assertEq(bytes(handler.fault()).length, 0, handler.fault());
        vm.assertEq(token.balanceOf(address(account)), handler.balance(), "balance");
        vm.assertEq(account.getSignerCount(), handler.owners(), "number of owners");
        for (uint256 actor = 0; actor < handler.ACTORS(); ++actor) {
            vm.assertEq(account.isSigner(handler.ownerOf(actor)), handler.isOwner(actor));
        }
        vm.assertLe(1, handler.owners(), "no owner");
    }

    function afterInvariant() external {
        handler.takeOut();
        vm.assertEq(token.balanceOf(address(account)), 0, "left");
    }
}
