// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {vm} from "../utils/Vm.sol";
import {Handler} from "./Handler.sol";
import {MaliciousHandler} from "./MaliciousHandler.sol";
import {OddHandler} from "./OddHandler.sol";

struct FuzzSelector {
    address addr;
    bytes4[] selectors;
}

/// @dev One campaign: Foundry calls the handler's actions at random, and each action checks the
/// records that it touched. All records and all withdrawals are checked at the end of a run.
abstract contract Profile {
    bool public constant IS_TEST = true;

    Handler internal handler;
    bytes4[] internal actions;

    function setUp() external {
        vm.warp(1_800_000_000);
        handler = _newHandler();
        _chooseActions();
    }

    function targetContracts() external view returns (address[] memory targets) {
        targets = new address[](1);
        targets[0] = address(handler);
    }

    function targetSelectors() external view returns (FuzzSelector[] memory targets) {
        targets = new FuzzSelector[](1);
        targets[0] = FuzzSelector(address(handler), actions);
    }

    /// forge-config: default.invariant.dictionary_weight = 0
    /// @dev The only invariant, because Foundry runs a separate campaign for each one. The handler
    /// performs all other checks.
    function invariant_Holds() external view {
        handler.checkI1_BalanceIsOpenCreditedAndDonated();
    }

    function afterInvariant() external {
        handler.finish(_name(), block.timestamp);
    }

    function _newHandler() internal virtual returns (Handler) {
        return new Handler();
    }

    function _name() internal pure virtual returns (string memory);

    function _chooseActions() internal virtual {
        actions = [
            handler.approveToken.selector,
            handler.donate.selector,
            handler.withdrawCredit.selector,
            handler.refuse.selector,
            handler.post.selector,
            handler.applyFor.selector,
            handler.withdrawStake.selector,
            handler.rejectApplication.selector,
            handler.accept.selector,
            handler.submit.selector,
            handler.agentApprove.selector,
            handler.dispute.selector,
            handler.cancel.selector,
            handler.approveSubmission.selector,
            handler.rejectSubmission.selector,
            handler.rule.selector,
            handler.settle.selector,
            handler.emergencyRelease.selector,
            handler.intrude.selector,
            handler.setPlatformFee.selector,
            handler.changePanel.selector,
            handler.pause.selector,
            handler.unpause.selector,
            handler.transferOwnership.selector,
            handler.acceptOwnership.selector,
            handler.renounceOwnership.selector,
            handler.withdrawFromTreasury.selector,
            handler.pass.selector
        ];
    }
}

/// @dev All accounts perform all actions, usually with valid arguments.
contract BoundedTest is Profile {
    function _name() internal pure override returns (string memory) {
        return "bounded";
    }
}

/// @dev The owner acts before every third action.
contract MaliciousOwnerTest is Profile {
    function _newHandler() internal override returns (Handler) {
        return new MaliciousHandler();
    }

    function _name() internal pure override returns (string memory) {
        return "malicious-owner";
    }
}

/// @dev The token's faults change during the run, and recipients call back.
contract OddTokensTest is Profile {
    function _name() internal pure override returns (string memory) {
        return "odd-tokens";
    }

    function _newHandler() internal override returns (Handler) {
        return new OddHandler();
    }

    function _chooseActions() internal override {
        super._chooseActions();
        actions.push(OddHandler.misbehave.selector);
        actions.push(OddHandler.reenter.selector);
    }
}
