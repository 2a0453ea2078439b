// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAdministration} from "../../../src/interfaces/IAdministration.sol";
import {IApplicationStaking} from "../../../src/interfaces/IApplicationStaking.sol";
import {IEscrow} from "../../../src/interfaces/IEscrow.sol";
import {IPanels} from "../../../src/interfaces/IPanels.sol";
import {ITokenCustody} from "../../../src/interfaces/ITokenCustody.sol";
import {ITreasury} from "../../../src/interfaces/ITreasury.sol";
import {FickleToken} from "./FickleToken.sol";
import {Report} from "./Report.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {Ownable2Step} from "@openzeppelin/contracts/access/Ownable2Step.sol";
import {IERC20Errors} from "@openzeppelin/contracts/interfaces/draft-IERC6093.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

/// @dev Lists every function that a campaign calls and every error that it must trigger.
abstract contract Names is Report {
    bytes4 internal constant POST_WITH_PERMIT =
        bytes4(keccak256("postTaskWithPermit(uint256,uint16,uint256,uint8,bytes32,bytes32)"));
    bytes4 internal constant POST_WITH_TERMS = bytes4(
        keccak256("postTaskWithPermit(uint256,uint16,bytes32,uint256,uint8,bytes32,bytes32)")
    );

    constructor() {
        _nameTaskActions();
        _nameOtherActions();
        _nameTaskReasons();
        _nameStakeReasons();
        _nameAdministrationReasons();
        _nameTokenReasons();
    }

    function _nameTaskActions() private {
        _registerAction(POST_WITH_PERMIT, "postTaskWithPermit");
        _registerAction(POST_WITH_TERMS, "postTaskWithPermit+terms");
        _registerAction(IEscrow.postTask.selector, "postTask");
        _registerAction(IEscrow.acceptApplicationForTask.selector, "acceptApplicationForTask");
        _registerAction(IEscrow.submitTask.selector, "submitTask");
        _registerAction(IEscrow.agentApproveTask.selector, "agentApproveTask");
        _registerAction(IEscrow.disputeTask.selector, "disputeTask");
        _registerAction(IEscrow.approveSubmission.selector, "approveSubmission");
        _registerAction(IEscrow.rejectSubmission.selector, "rejectSubmission");
        _registerAction(IEscrow.cancelTask.selector, "cancelTask");
        _registerAction(IEscrow.settle.selector, "settle");
        _registerAction(IEscrow.emergencyRelease.selector, "emergencyRelease");
        _registerAction(
            IApplicationStaking.lockApplicationStakeWithPermit.selector,
            "lockApplicationStakeWithPermit"
        );
        _registerAction(IApplicationStaking.lockApplicationStake.selector, "lockApplicationStake");
        _registerAction(IApplicationStaking.rejectApplication.selector, "rejectApplication");
        _registerAction(IApplicationStaking.withdrawStake.selector, "withdrawStake");
    }

    function _nameOtherActions() private {
        _registerAction(ITokenCustody.withdrawCredit.selector, "withdrawCredit");
        _registerAction(IERC20.transfer.selector, "donate");
        _registerAction(IERC20.approve.selector, "approve");
        _registerAction(FickleToken.refuse.selector, "refuse");
        _registerAction(IAdministration.setPlatformFee.selector, "setPlatformFee");
        _registerAction(IAdministration.changePanel.selector, "changePanel");
        _registerAction(IAdministration.pause.selector, "pause");
        _registerAction(IAdministration.unpause.selector, "unpause");
        _registerAction(Ownable.transferOwnership.selector, "transferOwnership");
        _registerAction(Ownable2Step.acceptOwnership.selector, "acceptOwnership");
        _registerAction(ITreasury.withdraw.selector, "withdraw");
    }

    function _nameTaskReasons() private {
        _registerReason(IEscrow.AmountBelowMinimum.selector, "AmountBelowMinimum");
        _registerReason(IEscrow.FeeMismatch.selector, "FeeMismatch");
        _registerReason(IEscrow.ValidatorIsParty.selector, "ValidatorIsParty");
        _registerReason(IEscrow.WrongStatus.selector, "WrongStatus");
        _registerReason(IEscrow.NotTheAgent.selector, "NotTheAgent");
        _registerReason(IEscrow.NotTheHuman.selector, "NotTheHuman");
        _registerReason(IEscrow.NotAParty.selector, "NotAParty");
        _registerReason(IEscrow.EmptyWorkHash.selector, "EmptyWorkHash");
        _registerReason(IEscrow.AgentHasApproved.selector, "AgentHasApproved");
        _registerReason(IEscrow.DisputeWindowClosed.selector, "DisputeWindowClosed");
        _registerReason(IEscrow.ReviewNotOpen.selector, "ReviewNotOpen");
        _registerReason(IEscrow.ReviewClosed.selector, "ReviewClosed");
        _registerReason(IEscrow.NotDue.selector, "NotDue");
        _registerReason(IEscrow.TooManySignatures.selector, "TooManySignatures");
        _registerReason(IEscrow.QuorumNotReached.selector, "QuorumNotReached");
        _registerReason(IEscrow.InvalidSignature.selector, "InvalidSignature");
        _registerReason(IEscrow.SignersNotAscending.selector, "SignersNotAscending");
        _registerReason(IEscrow.NotAValidatorOfTask.selector, "NotAValidatorOfTask");
    }

    function _nameStakeReasons() private {
        _registerReason(IApplicationStaking.TaskNotOpen.selector, "TaskNotOpen");
        _registerReason(IApplicationStaking.StakeMismatch.selector, "StakeMismatch");
        _registerReason(IApplicationStaking.AlreadyApplied.selector, "AlreadyApplied");
        _registerReason(IApplicationStaking.AgentCannotApply.selector, "AgentCannotApply");
        _registerReason(IApplicationStaking.StakeNotLocked.selector, "StakeNotLocked");
        _registerReason(
            IApplicationStaking.ApplicationForOtherTask.selector, "ApplicationForOtherTask"
        );
        _registerReason(IApplicationStaking.ApplicationExpired.selector, "ApplicationExpired");
        _registerReason(IApplicationStaking.NotTheIntendedAgent.selector, "NotTheIntendedAgent");
        _registerReason(IApplicationStaking.NotTheApplicant.selector, "NotTheApplicant");
        _registerReason(IApplicationStaking.NotTheEscrow.selector, "NotTheEscrow");
    }

    function _nameAdministrationReasons() private {
        _registerReason(IAdministration.FeeTooHigh.selector, "FeeTooHigh");
        _registerReason(IAdministration.NotOwnerOrGuardian.selector, "NotOwnerOrGuardian");
        _registerReason(
            IAdministration.OwnershipNotRenounceable.selector, "OwnershipNotRenounceable"
        );
        _registerReason(Ownable.OwnableUnauthorizedAccount.selector, "OwnableUnauthorizedAccount");
        _registerReason(Pausable.EnforcedPause.selector, "EnforcedPause");
        _registerReason(Pausable.ExpectedPause.selector, "ExpectedPause");
        _registerReason(IPanels.InvalidQuorum.selector, "InvalidQuorum");
        _registerReason(IPanels.TooManyValidators.selector, "TooManyValidators");
        _registerReason(IPanels.PanelUnchanged.selector, "PanelUnchanged");
        _registerReason(IPanels.ValidatorKnown.selector, "ValidatorKnown");
        _registerReason(IPanels.ValidatorUnknown.selector, "ValidatorUnknown");
        _registerReason(IPanels.ValidatorZero.selector, "ValidatorZero");
    }

    function _nameTokenReasons() private {
        _registerReason(ITokenCustody.NothingToWithdraw.selector, "NothingToWithdraw");
        _registerReason(FickleToken.Refused.selector, "Refused");
        _registerReason(
            IERC20Errors.ERC20InsufficientAllowance.selector, "ERC20InsufficientAllowance"
        );
        _registerReason(IERC20Errors.ERC20InsufficientBalance.selector, "ERC20InsufficientBalance");
        _registerReason(
            SafeCast.SafeCastOverflowedUintDowncast.selector, "SafeCastOverflowedUintDowncast"
        );
    }
}
