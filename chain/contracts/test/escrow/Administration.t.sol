// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IAdministration} from "../../src/interfaces/IAdministration.sol";
import {IPanels} from "../../src/interfaces/IPanels.sol";
import {ITokenCustody} from "../../src/interfaces/ITokenCustody.sol";
import {deploy} from "../utils/Deploy.sol";
import {Market} from "../utils/Market.sol";
import {Vm, bound, expectError, vm} from "../utils/Vm.sol";
import {Ownable} from "@openzeppelin/contracts/access/Ownable.sol";
import {IERC20} from "@openzeppelin/contracts/token/ERC20/IERC20.sol";
import {Pausable} from "@openzeppelin/contracts/utils/Pausable.sol";

contract AdministrationTest is Market {
    address[] private none;

    function test_RevertWhen_NotOwner() external {
        address[3] memory callers = [stranger, guardian, agent];
        for (uint256 i = 0; i < callers.length; ++i) {
            bytes memory reason =
                abi.encodeWithSelector(Ownable.OwnableUnauthorizedAccount.selector, callers[i]);
            vm.expectRevert(reason);
            _escrowAs(callers[i]).setPlatformFee(0);
            vm.expectRevert(reason);
            _escrowAs(callers[i]).changePanel(none, none, 3);
            vm.expectRevert(reason);
            _escrowAs(callers[i]).renounceOwnership();
        }
    }

    function testFuzz_SetPlatformFee(uint16 fee) external {
        fee = uint16(bound(fee, 0, 2000));
        vm.expectEmit(address(escrow));
        emit IAdministration.FeeChanged(fee);
        _escrowAs(owner).setPlatformFee(fee);
        vm.assertEq(escrow.platformFeeBasisPoints(), fee);
    }

    function testFuzz_RevertWhen_FeeTooHigh(uint16 fee) external {
        fee = uint16(bound(fee, 2001, type(uint16).max));
        expectError(IAdministration.FeeTooHigh.selector, fee, 2000);
        _escrowAs(owner).setPlatformFee(fee);
    }

    function test_FeeAtTheMaximum() external {
        _escrowAs(owner).setPlatformFee(2000);
        expectError(IAdministration.FeeTooHigh.selector, 2001, 2000);
        _escrowAs(owner).setPlatformFee(2001);
    }

    function test_RevertWhen_BadValidators() external {
        _assertPanelRefused(
            address(0xAB), address(0xCD), 3, IPanels.ValidatorUnknown.selector, address(0xCD)
        );
        _assertPanelRefused(
            validators[0], address(0), 3, IPanels.ValidatorKnown.selector, validators[0]
        );

        _change(address(0), validators[0], 2);
        _assertPanelRefused(
            validators[0], address(0), 2, IPanels.ValidatorKnown.selector, validators[0]
        );
        _assertPanelRefused(
            address(0), validators[0], 2, IPanels.ValidatorUnknown.selector, validators[0]
        );

        vm.expectRevert(IPanels.ValidatorZero.selector);
        _escrowAs(owner).changePanel(new address[](1), none, 2);
    }

    function testFuzz_Quorum(uint8 count, uint8 quorum) external {
        _assertQuorum(uint8(bound(count, 0, 40)), quorum);
    }

    function test_QuorumAtItsBounds() external {
        uint8[2][9] memory cases =
            [[0, 0], [0, 1], [4, 2], [4, 3], [4, 4], [4, 5], [32, 16], [32, 17], [33, uint8(17)]];
        for (uint256 i = 0; i < cases.length; ++i) {
            setUp();
            _assertQuorum(cases[i][0], cases[i][1]);
        }
    }

    function test_ChangePanel() external {
        vm.expectEmit(address(escrow));
        emit IPanels.ValidatorRemoved(validators[0], 2);
        vm.expectEmit(address(escrow));
        emit IPanels.ValidatorAdded(stranger, 2);
        vm.expectEmit(address(escrow));
        emit IPanels.QuorumChanged(3, 2);
        _change(stranger, validators[0], 3);

        vm.assertEq(escrow.panel(), 2);
        _assertIn(validators[0], true, false);
        _assertIn(validators[1], true, true);
        _assertIn(stranger, false, true);
        vm.assertEq(escrow.quorumOf(1), 2);
        vm.assertEq(escrow.quorumOf(2), 3);
        vm.assertEq(escrow.quorumOf(3), 0);
        vm.assertTrue(!escrow.validatorIn(human, 1));
    }

    function test_ChangePanel_QuorumAlone() external {
        vm.expectEmit(address(escrow));
        emit IPanels.QuorumChanged(3, 2);
        _change(address(0), address(0), 3);
        vm.assertEq(escrow.quorumOf(2), 3);
        vm.assertEq(escrow.validatorCountOf(2), 3);
    }

    function test_ChangePanel_SameQuorumIsNoEvent() external {
        vm.recordLogs();
        _change(address(0), validators[0], 2);
        vm.assertEq(vm.getRecordedLogs().length, 1);
        vm.assertEq(escrow.quorumOf(2), 2);
    }

    /// @dev A change that leaves the panel as it is reverts. Every new panel emits an event, so the
    /// panels can be reconstructed from the log.
    function test_RevertWhen_PanelUnchanged() external {
        vm.expectRevert(IPanels.PanelUnchanged.selector);
        _escrowAs(owner).changePanel(none, none, QUORUM);
        vm.assertEq(escrow.panel(), 1);
    }

    function test_PauseStopsEntriesOnly() external {
        uint256 posted = _post();
        uint256 withdrawable = _applyFor(posted, rival);
        uint256 rejectable = _applyFor(posted, human);
        uint256 accepted = _post();
        uint256 applicationId = _applyFor(accepted, human);
        (uint256 silent, uint256 urgent) = (_submitted(), _submitted());
        (uint256 approved, uint256 rejected) = (_disputed(agent), _disputed(agent));
        _escrowAs(guardian).pause();

        vm.expectRevert(Pausable.EnforcedPause.selector);
        escrow.postTask(AMOUNT, FEE, 0);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        staking.lockApplicationStake(posted, STAKE);
        vm.expectRevert(Pausable.EnforcedPause.selector);
        staking.lockApplicationStakeWithPermit(posted, STAKE, START, 0, 0, 0);

        _stakingAs(rival).withdrawStake(withdrawable);
        _stakingAs(agent).rejectApplication(rejectable);
        _escrowAs(agent).cancelTask(posted);
        _accept(accepted, applicationId);
        _escrowAs(human).submitTask(accepted, WORK);
        _escrowAs(human).disputeTask(accepted);
        _escrowAs(agent).agentApproveTask(accepted);
        escrow.approveSubmission(approved, _verdict(approved, true));
        escrow.rejectSubmission(rejected, _verdict(rejected, false));
        vm.warp(START + 37 days);
        _escrowAs(human).emergencyRelease(urgent);
        escrow.settle(silent);
        escrow.settle(accepted);
        _assertEmpty();
    }

    function test_RevertWhen_ConstructedWithZero() external {
        vm.expectRevert(ITokenCustody.ZeroAddress.selector);
        _construct(IERC20(address(0)), address(treasury), owner, guardian, 2);
        vm.expectRevert(ITokenCustody.ZeroAddress.selector);
        _construct(token, address(0), owner, guardian, 2);
        vm.expectRevert(ITokenCustody.ZeroAddress.selector);
        _construct(token, address(treasury), owner, address(0), 2);
        expectError(Ownable.OwnableInvalidOwner.selector, address(0));
        _construct(token, address(treasury), address(0), guardian, 2);
        expectError(IPanels.InvalidQuorum.selector, 1, 3);
        _construct(token, address(treasury), owner, guardian, 1);
    }

    /// @dev The constructor emits the initial fee, validators and quorum, so they can be
    /// reconstructed from the log.
    function test_ConstructorEmits() external {
        vm.recordLogs();
        escrow = _newEscrow();
        Vm.Log[] memory logs = vm.getRecordedLogs();
        bytes32[6] memory want = [
            Ownable.OwnershipTransferred.selector,
            IAdministration.FeeChanged.selector,
            IPanels.ValidatorAdded.selector,
            IPanels.ValidatorAdded.selector,
            IPanels.ValidatorAdded.selector,
            IPanels.QuorumChanged.selector
        ];
        vm.assertEq(logs.length, want.length);
        for (uint256 i = 0; i < want.length; ++i) {
            vm.assertEq(logs[i].topics[0], want[i]);
        }
        vm.assertEq(abi.decode(logs[1].data, (uint256)), FEE);
        vm.assertEq(abi.decode(logs[2].data, (uint256)), 1);
        vm.assertEq(escrow.panel(), 1);
        vm.assertEq(escrow.quorumOf(1), QUORUM);
        vm.assertEq(address(escrow.applicationStaking().escrow()), address(escrow));
        vm.assertEq(escrow.applicationStaking().treasury(), address(treasury));
        vm.assertEq(escrow.treasury(), address(treasury));
    }

    function _construct(
        IERC20 token_,
        address treasury_,
        address owner_,
        address guardian_,
        uint8 quorum
    ) private {
        bytes memory arguments = abi.encode(
            token_, treasury_, owner_, guardian_, FEE, validators, quorum
        );
        deploy("Escrow", arguments);
    }

    function _change(address added, address removed, uint8 quorum) private {
        _escrowAs(owner).changePanel(_list(added), _list(removed), quorum);
    }

    function _assertQuorum(uint8 count, uint8 quorum) private {
        address[] memory added = new address[](count);
        for (uint160 i = 0; i < count; ++i) {
            added[i] = address(0x1000 + i);
        }
        bool tooMany = count > 32;
        bool majority = uint256(quorum) * 2 > count && quorum <= count;
        vm.prank(owner);
        if (tooMany) {
            expectError(IPanels.TooManyValidators.selector, count, 32);
        } else if (!majority) {
            expectError(IPanels.InvalidQuorum.selector, quorum, count);
        }
        escrow.changePanel(added, validators, quorum);
        if (tooMany || !majority) return;

        vm.assertEq(escrow.quorumOf(2), quorum);
        vm.assertEq(escrow.validatorCountOf(2), count);
    }

    function _assertPanelRefused(
        address added,
        address removed,
        uint8 quorum,
        bytes4 selector,
        address named
    ) private {
        expectError(selector, named);
        _change(added, removed, quorum);
    }

    function _assertIn(address validator, bool first, bool second) private view {
        vm.assertEq(escrow.validatorIn(validator, 1), first);
        vm.assertEq(escrow.validatorIn(validator, 2), second);
        vm.assertEq(escrow.isValidator(validator), second);
        vm.assertTrue(!escrow.validatorIn(validator, 0));
    }
}
